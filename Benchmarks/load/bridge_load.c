// Puts load on flowbridged, or on the baseline echo-server with the same requests, and prints what
// was measured as one line of name=value.

#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "modes.h"

static const struct {
    const char *name;
    void (*run)(const struct load *);
} modes[] = {
    {"round-trip", mode_round_trip},
    {"get-flow", mode_get_flow},
    {"in-flight", mode_in_flight},
    {"fan-out", mode_fan_out},
    {"hold-connections", mode_hold_connections},
    {"hold-sessions", mode_hold_sessions},
    {"start", mode_start},
    {"sizes", mode_sizes},
};

static _Noreturn void usage(void)
{
    fputs("usage: bridge-load [option]… MODE SOCKET [COMMAND…]\n"
          "modes: round-trip, get-flow, in-flight, fan-out, hold-connections, hold-sessions,\n"
          "       sizes, start (which runs COMMAND, a server on SOCKET)\n"
          "  --echo            the server is the baseline\n"
          "  --lines           line mode\n"
          "  --work KIND       ping (default) or perform: tap an option, with its event\n"
          "  --seconds S       of measurement, 1.0\n"
          "  --count N         connections, subscribers, sessions, starts or placements, 1\n"
          "  --in-flight N     requests at a time, 1\n"
          "  --server PID      to report its processor time or memory\n"
          "  --sessions N      live sessions to open first\n"
          "  --events N        events to record first\n",
          stderr);
    exit(2);
}

static unsigned number(const char *text, unsigned least)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || value < least || value > 100000000)
        usage();
    return (unsigned)value;
}

static struct load parse(int argc, char **argv)
{
    static const struct option options[] = {
        {"echo", no_argument, NULL, 'e'},          {"lines", no_argument, NULL, 'l'},
        {"work", required_argument, NULL, 'w'},    {"seconds", required_argument, NULL, 's'},
        {"count", required_argument, NULL, 'c'},   {"in-flight", required_argument, NULL, 'f'},
        {"server", required_argument, NULL, 'p'},  {"sessions", required_argument, NULL, 'S'},
        {"events", required_argument, NULL, 'E'},  {0},
    };
    struct load load = {.seconds = 1, .count = 1, .in_flight = 1};
    for (int option; (option = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
        switch (option) {
        case 'e': load.target.echo = true; break;
        case 'l': load.target.lines = true; break;
        case 'w': load.kind = strcmp(optarg, "perform") == 0 ? WORK_PERFORM : WORK_PING; break;
        case 's': load.seconds = strtod(optarg, NULL); break;
        case 'c': load.count = number(optarg, 1); break;
        case 'f': load.in_flight = number(optarg, 1); break;
        case 'p': load.target.process = (pid_t)number(optarg, 1); break;
        case 'S': load.sessions = number(optarg, 0); break;
        case 'E': load.events = number(optarg, 0); break;
        default: usage();
        }
    }
    return load;
}

static void allow_many_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    struct load load = parse(argc, argv);
    if (argc - optind < 2)
        usage();
    load.target.path = argv[optind + 1];
    load.command = argv + optind + 2;
    allow_many_descriptors();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(modes[i].name, argv[optind]) == 0) {
            modes[i].run(&load);
            return 0;
        }
    }
    usage();
}
