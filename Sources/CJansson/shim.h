#include <jansson.h>

// In Swift the function json_error_code has the name of an enum.
static inline enum json_error_code fb_json_code(const json_error_t *error) {
    return json_error_code(error);
}
