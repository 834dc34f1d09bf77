#include <jansson.h>
#include <stdio.h>
#include <string.h>

// In Swift the function json_error_code has the name of an enum.
static inline enum json_error_code fb_json_code(const json_error_t *error) {
    return json_error_code(error);
}

// json_loadb, but for bytes that are NUL: no JSON has any, and jansson passes over one that stands
// behind a number or a word.
static inline json_t *fb_json_load(
    const char *text, size_t count, size_t flags, json_error_t *error
) {
    const char *nul = count > 0 ? memchr(text, 0, count) : NULL;
    if (nul == NULL) return json_loadb(text, count, flags, error);
    // What comes before it may be wrong already: then that is told.
    json_t *document = json_loadb(text, (size_t)(nul - text), flags, error);
    if (document == NULL && json_error_code(error) != json_error_premature_end_of_input) return NULL;
    json_decref(document);
    int line = 1, column = 1;
    for (const char *at = text; at < nul; at++) {
        column = *at == '\n' ? 1 : column + ((*at & 0xC0) != 0x80);
        line += *at == '\n';
    }
    *error = (json_error_t){.line = line, .column = column, .position = (int)(nul - text)};
    snprintf(error->text, sizeof error->text, "a NUL byte");
    error->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_invalid_syntax;
    return NULL;
}
