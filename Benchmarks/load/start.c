#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../wire/unix_socket.h"
#include "measure.h"
#include "modes.h"

static pid_t start_server(char **command)
{
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL) // the figures alone go to our output
            fail("/dev/null");
        execvp(command[0], command);
        fail(command[0]);
    }
    return child;
}

static void wait_until_it_listens(const char *path)
{
    const struct timespec pause = {.tv_nsec = 50000};
    int fd;
    while ((fd = socket_try_connect(path)) < 0)
        nanosleep(&pause, NULL);
    close(fd);
}

static void stop_server(pid_t server, const char *path)
{
    if (kill(server, SIGTERM) < 0 || waitpid(server, NULL, 0) < 0)
        fail("stopping the server");
    unlink(path); // the baseline leaves its socket behind
}

void mode_start(const struct load *load)
{
    struct work work = work_prepare(&load->target, WORK_PING);
    struct samples samples = {0};
    for (unsigned i = 0; i < load->count; i++) {
        uint64_t begin = now_ns();
        pid_t server = start_server(load->command);
        wait_until_it_listens(load->target.path);
        int fd = work_connect(&load->target, &work);
        uint8_t answer[4096];
        work_once(fd, &load->target, &work, answer, sizeof answer);
        samples_add(&samples, now_ns() - begin);
        close(fd);
        stop_server(server, load->target.path);
    }
    printf("starts=%u p50_us=%.1f max_us=%.1f\n", load->count, samples_quantile_us(&samples, 0.5),
           samples_quantile_us(&samples, 1));
}
