// The baseline of the store: inserts events in transactions of one size straight into an SQLite file,
// each transaction synced, and prints what was measured as one line of name=value.

#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void expect(int code, int wanted, sqlite3 *database)
{
    if (code == wanted)
        return;
    fprintf(stderr, "raw-store: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(sqlite3 *database, const char *sql)
{
    expect(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK, database);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement;
    expect(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK, database);
    return statement;
}

static void step(sqlite3 *database, sqlite3_stmt *statement)
{
    expect(sqlite3_step(statement), SQLITE_DONE, database);
    sqlite3_reset(statement);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fputs("usage: raw-store FILE BATCH EVENT_BYTES SECONDS\n", stderr);
        return 2;
    }
    int batch = atoi(argv[2]), bytes = atoi(argv[3]);
    double seconds = atof(argv[4]);
    sqlite3 *database;
    expect(sqlite3_open(argv[1], &database), SQLITE_OK, database);
    run(database, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
                  "PRAGMA synchronous = FULL;"
                  "CREATE TABLE events(place INTEGER PRIMARY KEY, kind INTEGER NOT NULL,"
                  " view INTEGER NOT NULL, event BLOB NOT NULL);");
    sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE");
    sqlite3_stmt *insert = prepare(database, "INSERT INTO events VALUES (?1, ?2, ?3, ?4)");
    sqlite3_stmt *commit = prepare(database, "COMMIT");
    char *event = calloc(1, (size_t)bytes);
    sqlite3_int64 place = 1;
    double start = now();
    while (now() - start < seconds) {
        step(database, begin);
        for (int done = 0; done < batch; done++) {
            sqlite3_bind_int64(insert, 1, place++);
            sqlite3_bind_int64(insert, 2, 10);
            sqlite3_bind_int64(insert, 3, (sqlite3_int64)1 << 60);
            sqlite3_bind_blob(insert, 4, event, bytes, SQLITE_STATIC);
            step(database, insert);
        }
        step(database, commit);
    }
    printf("rate=%.0f\n", (double)(place - 1) / (now() - start));
    return 0;
}
