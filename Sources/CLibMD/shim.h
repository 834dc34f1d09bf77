#include <sys/types.h>
#include <md5.h>
#include <sha256.h>
