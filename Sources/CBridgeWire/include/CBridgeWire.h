// The one header of this target; incremental builds miss headers that are added beside it.
#ifndef CBRIDGEWIRE_H
#define CBRIDGEWIRE_H

#include "flowbridge/v1/frame.pb-c.h"

#include "fb_arena.h"
#include "fb_json.h"
#include "fb_schema.h"
#include "fb_wire_check.h"

#endif
