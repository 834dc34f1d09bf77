import Glibc

exit(Daemon.run(arguments: CommandLine.arguments))
