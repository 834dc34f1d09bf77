#define _GNU_SOURCE
#include "CPowerCut.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

/// A file as the program sees it; `real` holds what was synced.
typedef struct disk_file {
    sqlite3_file base;
    struct disk_file *next;
    unsigned char *bytes;
    unsigned char *dirty;  ///< one flag a sector
    sqlite3_int64 size, capacity;
    int is_size_dirty;
    sqlite3_file *real;
} disk_file;

static struct {
    pthread_mutex_t lock;
    disk_file *files;
    uint64_t operations, cut_at, fail_at, seed;
    uint32_t kept_percent;
    int is_out, is_full, has_failed;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static sqlite3_vfs *system_vfs(void) { return sqlite3_vfs_find("unix"); }

static uint64_t draw(void) {
    uint64_t mixed = disk.seed += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

static int write_sector(disk_file *file, sqlite3_int64 sector) {
    sqlite3_int64 offset = sector * SECTOR;
    int count = (int)(file->size - offset < SECTOR ? file->size - offset : SECTOR);
    if (count <= 0) return SQLITE_OK;
    return file->real->pMethods->xWrite(file->real, file->bytes + offset, count, offset);
}

/// Writes what is not synced, all of it or what chance leaves.
static int write_back(disk_file *file, int is_all) {
    int result = SQLITE_OK;
    if (file->is_size_dirty && (is_all || draw() % 100 < disk.kept_percent))
        result = file->real->pMethods->xTruncate(file->real, file->size);
    for (sqlite3_int64 sector = 0; sector * SECTOR < file->size && !result; sector++) {
        if (!file->dirty[sector]) continue;
        if (is_all || draw() % 100 < disk.kept_percent) result = write_sector(file, sector);
        if (is_all) file->dirty[sector] = 0;
    }
    if (is_all && !result) file->is_size_dirty = 0;
    return result;
}

static void cut(void) {
    disk.is_out = 1;
    for (disk_file *file = disk.files; file; file = file->next) write_back(file, 0);
}

/// Counts an operation that changes the disk; gives the error that it meets.
static int meet(void) {
    if (disk.is_out) return SQLITE_IOERR_WRITE;
    disk.operations++;
    if (disk.cut_at && disk.operations >= disk.cut_at) {
        cut();
        return SQLITE_IOERR_WRITE;
    }
    if (disk.fail_at && disk.operations >= disk.fail_at) {
        disk.fail_at = 0;
        disk.has_failed = 1;
        return SQLITE_IOERR_WRITE;
    }
    return SQLITE_OK;
}

static int reserve(disk_file *file, sqlite3_int64 size) {
    if (size <= file->capacity) return SQLITE_OK;
    sqlite3_int64 capacity = file->capacity ? file->capacity : 65536;
    while (capacity < size) capacity *= 2;
    unsigned char *bytes = realloc(file->bytes, (size_t)capacity);
    if (!bytes) return SQLITE_NOMEM;
    file->bytes = bytes;
    unsigned char *dirty = realloc(file->dirty, (size_t)(capacity / SECTOR));
    if (!dirty) return SQLITE_NOMEM;
    file->dirty = dirty;
    memset(bytes + file->capacity, 0, (size_t)(capacity - file->capacity));
    memset(dirty + file->capacity / SECTOR, 0, (size_t)((capacity - file->capacity) / SECTOR));
    file->capacity = capacity;
    return SQLITE_OK;
}

static int disk_close(sqlite3_file *base) {
    disk_file *file = (disk_file *)base;
    pthread_mutex_lock(&disk.lock);
    for (disk_file **at = &disk.files; *at; at = &(*at)->next) {
        if (*at != file) continue;
        *at = file->next;
        break;
    }
    // A machine that runs writes its cache in the end.
    if (!disk.is_out) write_back(file, 1);
    pthread_mutex_unlock(&disk.lock);
    int result = file->real->pMethods->xClose(file->real);
    free(file->bytes);
    free(file->dirty);
    return result;
}

static int disk_read(sqlite3_file *base, void *target, int count, sqlite3_int64 offset) {
    disk_file *file = (disk_file *)base;
    pthread_mutex_lock(&disk.lock);
    sqlite3_int64 left = file->size > offset ? file->size - offset : 0;
    int there = (int)(left < count ? left : count);
    if (there > 0) memcpy(target, file->bytes + offset, (size_t)there);
    pthread_mutex_unlock(&disk.lock);
    if (there == count) return SQLITE_OK;
    memset((char *)target + there, 0, (size_t)(count - there));
    return SQLITE_IOERR_SHORT_READ;
}

static int change(disk_file *file, const void *source, int count, sqlite3_int64 offset) {
    int result = meet();
    if (result) return result;
    if (disk.is_full && offset + count > file->size) {
        errno = ENOSPC;
        return SQLITE_FULL;
    }
    result = reserve(file, offset + count);
    if (result) return result;
    memcpy(file->bytes + offset, source, (size_t)count);
    for (sqlite3_int64 at = offset / SECTOR; at * SECTOR < offset + count; at++)
        file->dirty[at] = 1;
    if (offset + count > file->size) file->size = offset + count;
    return SQLITE_OK;
}

static int disk_write(sqlite3_file *base, const void *source, int count, sqlite3_int64 offset) {
    pthread_mutex_lock(&disk.lock);
    int result = change((disk_file *)base, source, count, offset);
    pthread_mutex_unlock(&disk.lock);
    return result;
}

static int disk_truncate(sqlite3_file *base, sqlite3_int64 size) {
    disk_file *file = (disk_file *)base;
    pthread_mutex_lock(&disk.lock);
    int result = meet();
    if (!result && size < file->size) {
        memset(file->bytes + size, 0, (size_t)(file->size - size));
        file->size = size;
        file->is_size_dirty = 1;
    }
    pthread_mutex_unlock(&disk.lock);
    return result;
}

static _Thread_local uint64_t syncs_here;

uint64_t fb_disk_syncs_here(void) { return syncs_here; }

static int disk_sync(sqlite3_file *base, int flags) {
    syncs_here += 1;
    (void)flags;
    pthread_mutex_lock(&disk.lock);
    int result = meet();
    if (!result) result = write_back((disk_file *)base, 1);
    pthread_mutex_unlock(&disk.lock);
    return result;
}

static int disk_size(sqlite3_file *base, sqlite3_int64 *size) {
    pthread_mutex_lock(&disk.lock);
    *size = ((disk_file *)base)->size;
    pthread_mutex_unlock(&disk.lock);
    return SQLITE_OK;
}

#define REAL(base) (((disk_file *)(base))->real)
static int disk_lock(sqlite3_file *f, int l) { return REAL(f)->pMethods->xLock(REAL(f), l); }
static int disk_unlock(sqlite3_file *f, int l) { return REAL(f)->pMethods->xUnlock(REAL(f), l); }
static int disk_reserved(sqlite3_file *f, int *r) {
    return REAL(f)->pMethods->xCheckReservedLock(REAL(f), r);
}
static int disk_control(sqlite3_file *f, int op, void *value) {
    // These would reach around the cache.
    if (op == SQLITE_FCNTL_SIZE_HINT || op == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_NOTFOUND;
    return REAL(f)->pMethods->xFileControl(REAL(f), op, value);
}
static int disk_sector(sqlite3_file *f) { (void)f; return SECTOR; }
static int disk_traits(sqlite3_file *f) { (void)f; return 0; }
static int disk_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **at) {
    return REAL(f)->pMethods->xShmMap(REAL(f), region, size, extend, at);
}
static int disk_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
}
static void disk_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int disk_shm_unmap(sqlite3_file *f, int removes) {
    return REAL(f)->pMethods->xShmUnmap(REAL(f), removes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_traits,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
};

/// Takes over what the real file holds.
static int load(disk_file *file) {
    sqlite3_int64 size = 0;
    int result = file->real->pMethods->xFileSize(file->real, &size);
    if (!result) result = reserve(file, size);
    if (!result && size > 0)
        result = file->real->pMethods->xRead(file->real, file->bytes, (int)size, 0);
    file->size = size;
    return result;
}

static int disk_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out_flags) {
    disk_file *file = (disk_file *)base;
    (void)vfs;
    memset(file, 0, sizeof *file);
    file->real = (sqlite3_file *)(file + 1);
    int result = system_vfs()->xOpen(system_vfs(), name, file->real, flags, out_flags);
    if (result) return result;
    result = load(file);
    if (result) {
        file->real->pMethods->xClose(file->real);
        return result;
    }
    file->base.pMethods = &methods;
    pthread_mutex_lock(&disk.lock);
    file->next = disk.files;
    disk.files = file;
    pthread_mutex_unlock(&disk.lock);
    return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs;
    pthread_mutex_lock(&disk.lock);
    int result = meet();
    pthread_mutex_unlock(&disk.lock);
    return result ? SQLITE_IOERR_DELETE : system_vfs()->xDelete(system_vfs(), name, syncs);
}

const char *fb_disk_name(void) {
    static sqlite3_vfs vfs;
    static const char name[] = "flowbridge-disk";
    pthread_mutex_lock(&disk.lock);
    if (!vfs.zName) {
        vfs = *system_vfs();
        vfs.zName = name;
        vfs.pNext = NULL;
        vfs.szOsFile += (int)sizeof(disk_file);
        vfs.xOpen = disk_open;
        vfs.xDelete = disk_delete;
        sqlite3_vfs_register(&vfs, 0);
    }
    pthread_mutex_unlock(&disk.lock);
    return name;
}

void fb_disk_reset(void) {
    pthread_mutex_lock(&disk.lock);
    disk.operations = disk.cut_at = disk.fail_at = 0;
    disk.is_out = disk.is_full = disk.has_failed = 0;
    pthread_mutex_unlock(&disk.lock);
}

void fb_disk_cut_at(uint64_t operation, uint64_t seed, uint32_t kept_percent) {
    pthread_mutex_lock(&disk.lock);
    disk.cut_at = disk.operations + operation;
    disk.seed = seed;
    disk.kept_percent = kept_percent;
    pthread_mutex_unlock(&disk.lock);
}

void fb_disk_fail_at(uint64_t operation) {
    pthread_mutex_lock(&disk.lock);
    disk.fail_at = disk.operations + operation;
    pthread_mutex_unlock(&disk.lock);
}

void fb_disk_set_full(int is_full) {
    pthread_mutex_lock(&disk.lock);
    disk.is_full = is_full;
    pthread_mutex_unlock(&disk.lock);
}

int fb_disk_met(void) {
    pthread_mutex_lock(&disk.lock);
    int met = disk.is_out || disk.has_failed;
    pthread_mutex_unlock(&disk.lock);
    return met;
}

uint64_t fb_disk_operations(void) {
    pthread_mutex_lock(&disk.lock);
    uint64_t operations = disk.operations;
    pthread_mutex_unlock(&disk.lock);
    return operations;
}
