import Glibc

exit(await Program.run(CommandLine.arguments))
