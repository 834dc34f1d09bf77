// The baseline: what a Unix socket and epoll cost by themselves, in C, with one thread.
//
//   echo-server [--lines] [--answer BYTES[,BYTES]…] [--fan] PATH
//
// Without --answer every byte goes back as it came. With it each request, a frame of a 4-byte
// big-endian length or a line, is answered by messages of these total sizes. With --fan a
// connection whose first frame holds "S" is a subscriber, and each request of any other one sends
// the answer to every subscriber; what one wake-up brought leaves in one write for each of them.

#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../wire/frames.h"
#include "../wire/unix_socket.h"

enum { READ_BYTES = 65536, BATCH_MAX = 4096, EVENTS_MAX = 256 };

struct connection {
    int fd;
    bool subscriber;
    struct frame_counter requests;
};

static bool lines, fan;
static uint8_t *answers; // BATCH_MAX times the answer to one request
static size_t answer_bytes;

static struct connection **subscribers;
static size_t subscriber_count;

// Writes the messages of the given sizes, "412,6", and returns their bytes together.
static size_t lay_out_answer(const char *sizes, uint8_t *out)
{
    size_t total = 0;
    for (const char *next = sizes; next != NULL; next = strchr(next, ',')) {
        next += *next == ',';
        unsigned long size = strtoul(next, NULL, 10);
        if (size <= FRAME_HEADER || size > READ_BYTES) {
            fprintf(stderr, "--answer %s: sizes are 5 to %d\n", sizes, READ_BYTES);
            exit(2);
        }
        memset(out + total, 'x', size);
        if (lines)
            out[total + size - 1] = '\n';
        else
            frame_header(out + total, (uint32_t)size - FRAME_HEADER);
        total += size;
    }
    return total;
}

static void prepare_answers(const char *sizes)
{
    uint8_t one[4 * READ_BYTES];
    answer_bytes = lay_out_answer(sizes, one);
    answers = malloc(BATCH_MAX * answer_bytes);
    if (answers == NULL)
        fail("malloc");
    for (size_t i = 0; i < BATCH_MAX; i++)
        memcpy(answers + i * answer_bytes, one, answer_bytes);
}

static void send_answers(int fd, size_t requests)
{
    for (size_t batch; requests > 0; requests -= batch) {
        batch = requests < BATCH_MAX ? requests : BATCH_MAX;
        if (!write_all(fd, answers, batch * answer_bytes))
            return;
    }
}

static void subscribe(struct connection *connection)
{
    subscribers = realloc(subscribers, (subscriber_count + 1) * sizeof *subscribers);
    if (subscribers == NULL)
        fail("realloc");
    subscribers[subscriber_count++] = connection;
    connection->subscriber = true;
}

static void drop(struct connection *connection)
{
    for (size_t i = 0; connection->subscriber && i < subscriber_count; i++)
        if (subscribers[i] == connection)
            subscribers[i--] = subscribers[--subscriber_count];
    close(connection->fd);
    free(connection);
}

// Answers what one connection sent; returns how many requests are to be fanned out.
static size_t serve(struct connection *connection)
{
    static uint8_t bytes[READ_BYTES];
    ssize_t count = read(connection->fd, bytes, sizeof bytes);
    if (count <= 0) {
        if (count == 0 || (errno != EAGAIN && errno != EINTR))
            drop(connection);
        return 0;
    }
    if (answer_bytes == 0) {
        write_all(connection->fd, bytes, (size_t)count);
        return 0;
    }
    if (fan && count == FRAME_HEADER + 1 && bytes[FRAME_HEADER] == 'S') {
        subscribe(connection);
        write_all(connection->fd, bytes, (size_t)count);
        return 0;
    }
    size_t requests = frames_ended(&connection->requests, bytes, (size_t)count);
    if (!fan)
        send_answers(connection->fd, requests);
    return fan ? requests : 0;
}

static void accept_one(int epoll, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return;
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL)
        fail("calloc");
    connection->fd = fd;
    connection->requests.lines = lines;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        fail("epoll_ctl");
}

static _Noreturn void run(int listener)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) < 0)
        fail("epoll");
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(epoll, events, EVENTS_MAX, -1);
        size_t published = 0;
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == NULL)
                accept_one(epoll, listener);
            else
                published += serve(events[i].data.ptr);
        }
        for (size_t i = 0; published > 0 && i < subscriber_count; i++)
            send_answers(subscribers[i]->fd, published);
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"lines", no_argument, NULL, 'l'},
        {"answer", required_argument, NULL, 'a'},
        {"fan", no_argument, NULL, 'f'},
        {0},
    };
    const char *sizes = NULL;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'l': lines = true; break;
        case 'a': sizes = optarg; break;
        case 'f': fan = true; break;
        default: return 2;
        }
    }
    if (optind + 1 != argc || (fan && sizes == NULL)) {
        fprintf(stderr, "usage: echo-server [--lines] [--answer BYTES,…] [--fan] PATH\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (sizes != NULL)
        prepare_answers(sizes);
    run(socket_listen(argv[optind]));
}
