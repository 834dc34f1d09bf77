#include "CCivilTime.h"

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

struct fb_zone {
    cctz::time_zone zone;
};

namespace {

using seconds = cctz::time_point<cctz::seconds>;

seconds instant(int64_t unix_seconds) { return seconds(cctz::seconds(unix_seconds)); }

int64_t unix_seconds(seconds t) { return t.time_since_epoch().count(); }

}  // namespace

extern "C" const fb_zone *fb_zone_load(const char *name) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<fb_zone>> zones;
    const std::lock_guard<std::mutex> lock(mutex);
    const std::string key(name);
    // cctz also reads "localtime", absolute paths and "Fixed/…": none is a zone name.
    if (key.empty() || key[0] == '/' || key == "localtime" || key.rfind("Fixed/", 0) == 0 || key.find("..") != std::string::npos)
        return nullptr;
    const auto found = zones.find(key);
    if (found != zones.end()) return found->second.get();
    cctz::time_zone zone;
    if (!cctz::load_time_zone(key, &zone)) return nullptr;
    return (zones[key] = std::make_unique<fb_zone>(fb_zone{zone})).get();
}

extern "C" fb_local fb_zone_resolve(const fb_zone *zone, fb_civil c) {
    const auto found = zone->zone.lookup(
        cctz::civil_second(c.year, c.month, c.day, c.hour, c.minute, c.second));
    fb_local local;
    switch (found.kind) {
    case cctz::time_zone::civil_lookup::UNIQUE: local.kind = FB_LOCAL_UNIQUE; break;
    case cctz::time_zone::civil_lookup::SKIPPED: local.kind = FB_LOCAL_SKIPPED; break;
    default: local.kind = FB_LOCAL_REPEATED; break;
    }
    local.before = unix_seconds(found.pre);
    local.at = unix_seconds(found.trans);
    local.after = unix_seconds(found.post);
    return local;
}

extern "C" fb_civil fb_zone_civil(const fb_zone *zone, int64_t at) {
    const auto cs = zone->zone.lookup(instant(at)).cs;
    return fb_civil{cs.year(), cs.month(), cs.day(), cs.hour(), cs.minute(), cs.second()};
}

extern "C" int fb_civil_day_exists(int64_t year, int32_t month, int32_t day) {
    const cctz::civil_day normalised(year, month, day);
    return normalised.year() == year && normalised.month() == month && normalised.day() == day;
}

extern "C" const char *fb_zone_data_version(void) {
    static const std::string version = [] {
        std::ifstream file("/usr/share/zoneinfo/tzdata.zi");
        std::string line;
        const std::string head = "# version ";
        if (std::getline(file, line) && line.compare(0, head.size(), head) == 0)
            return line.substr(head.size());
        return std::string();
    }();
    return version.c_str();
}
