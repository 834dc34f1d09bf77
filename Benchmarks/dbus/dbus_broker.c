// dbus-broker at a socket of one's own, without systemd: `dbus-broker-alone PATH`. This process becomes
// dbus-broker, so that its processor time can be read; a child of it is the controller, which hands
// over the listening socket and a policy that allows everything.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "../wire/unix_socket.h"

// Of one user: may connect; may own names, send and receive, each with one rule that allows all.
#define BATCH "bta(btbs)a(btssssuutt)a(btssssuutt)"
#define POLICY "a(u(" BATCH "))a(buu(" BATCH "))a(ss)bs"

static void check(int result, const char *what)
{
    if (result < 0) {
        errno = -result;
        fail(what);
    }
}

static void append_policy(sd_bus_message *call)
{
    const uint32_t everybody = UINT32_MAX;
    const uint64_t priority = 1, most = UINT64_MAX;
    check(sd_bus_message_append(
              call, "v", "(" POLICY ")", 1, everybody, 1, priority, 1, 1, priority, 1, "", 1, 1,
              priority, "", "", "", "", 0, 0, (uint64_t)0, most, 1, 1, priority, "", "", "", "", 0,
              0, (uint64_t)0, most, 0, 0, 0, ""),
          "the policy");
}

static void control(int link, int listener)
{
    sd_bus *bus = NULL;
    sd_bus_message *call = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    check(sd_bus_new(&bus), "sd_bus_new");
    check(sd_bus_set_fd(bus, link, link), "sd_bus_set_fd");
    check(sd_bus_start(bus), "sd_bus_start");
    check(sd_bus_message_new_method_call(bus, &call, NULL, "/org/bus1/DBus/Broker",
                                         "org.bus1.DBus.Broker", "AddListener"),
          "AddListener");
    check(sd_bus_message_append(call, "oh", "/org/bus1/DBus/Listener/0", listener), "AddListener");
    append_policy(call);
    int result = sd_bus_call(bus, call, 0, &error, NULL);
    if (result < 0)
        fprintf(stderr, "%s: %s\n", error.name, error.message);
    check(result, "AddListener");
    close(listener);
    // Stays, and goes with the broker: that ends when its controller does.
    while (sd_bus_wait(bus, UINT64_MAX) >= 0 && sd_bus_process(bus, NULL) >= 0)
        continue;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: dbus-broker-alone SOCKET\n", stderr);
        return 2;
    }
    int links[2], listener = socket_listen(argv[1]);
    check(fcntl(listener, F_SETFL, O_NONBLOCK), "fcntl");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, links) < 0)
        fail("socketpair");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        close(links[1]);
        control(links[0], listener);
        return 0;
    }
    close(links[0]);
    char link[16];
    snprintf(link, sizeof link, "%d", links[1]);
    execlp("dbus-broker", "dbus-broker", "--controller", link, "--machine-id",
           "0123456789abcdef0123456789abcdef", "--max-bytes", "1000000000", "--max-fds", "10000",
           "--max-matches", "10000", "--max-objects", "1000000", (char *)NULL);
    fail("dbus-broker");
}
