#ifndef CCIVILTIME_H
#define CCIVILTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A time zone of the host's zone data. Lives as long as the process; never freed.
typedef struct fb_zone fb_zone;

/// A local date and time, proleptic Gregorian.
typedef struct {
    int64_t year;
    int32_t month;
    int32_t day;
    int32_t hour;
    int32_t minute;
    int32_t second;
} fb_civil;

typedef enum { FB_LOCAL_UNIQUE = 0, FB_LOCAL_SKIPPED = 1, FB_LOCAL_REPEATED = 2 } fb_local_kind;

/// What a local time means in a zone, in Unix seconds. `before` and `after` use the offset in
/// force before and after the transition `at`; all three are equal for a unique time.
typedef struct {
    fb_local_kind kind;
    int64_t before;
    int64_t at;
    int64_t after;
} fb_local;

/// Returns the zone of that IANA name or link, or NULL when the host's zone data has none.
/// "UTC" is always there.
const fb_zone *fb_zone_load(const char *name);

/// Resolves a local time. Fields out of range are normalised.
fb_local fb_zone_resolve(const fb_zone *zone, fb_civil civil);

/// The local time of an instant, in Unix seconds.
fb_civil fb_zone_civil(const fb_zone *zone, int64_t unix_seconds);

/// Whether the date exists in the calendar.
int fb_civil_day_exists(int64_t year, int32_t month, int32_t day);

/// The version of the host's zone data, such as "2026f", or an empty string when it is not told.
const char *fb_zone_data_version(void);

#ifdef __cplusplus
}
#endif
#endif
