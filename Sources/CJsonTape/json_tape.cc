#include "CJsonTape.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace dom = simdjson::dom;

namespace {

// simdjson counts a level more, and none for what is empty: the nodes are counted here.
constexpr size_t depth_max = 32;
constexpr size_t kept_bytes = 256 * 1024;

}  // namespace

struct fb_json_tape {
    dom::parser parser;
    std::unique_ptr<char[]> padded;
    size_t padded_bytes = 0;
    size_t parser_bytes = 0;
    std::vector<fb_json_node> nodes;

    // Room for a document of that length; large rooms are not kept for small documents.
    bool make_room(size_t length) {
        if (!padded || length > padded_bytes ||
            (padded_bytes > kept_bytes && length <= kept_bytes)) {
            size_t bytes = length < 4096 ? 4096 : length;
            padded.reset(new (std::nothrow) char[bytes + simdjson::SIMDJSON_PADDING]);
            padded_bytes = padded ? bytes : 0;
            parser = dom::parser();
            nodes = std::vector<fb_json_node>();
            if (!padded || parser.allocate(bytes, depth_max + 1) != simdjson::SUCCESS) {
                padded_bytes = 0;
                return false;
            }
        }
        return true;
    }

    size_t append(fb_json_type type, uint32_t count) {
        fb_json_node node{};
        node.type = static_cast<uint8_t>(type);
        node.count = count;
        node.span = 1;
        nodes.push_back(node);
        return nodes.size() - 1;
    }

    void append_text(const char *text, size_t length) {
        size_t place = append(FB_JSON_TEXT, static_cast<uint32_t>(length));
        nodes[place].value.text = text;
    }

    // False where the document is deeper than depth_max.
    bool append_list(const dom::array &list, size_t depth) {
        if (depth > depth_max) return false;
        size_t place = append(FB_JSON_LIST, 0);
        uint32_t count = 0;
        for (dom::element element : list) {
            if (!append_value(element, depth + 1)) return false;
            count += 1;
        }
        nodes[place].count = count;
        nodes[place].span = static_cast<uint32_t>(nodes.size() - place);
        return true;
    }

    bool append_object(const dom::object &object, size_t depth) {
        if (depth > depth_max) return false;
        size_t place = append(FB_JSON_OBJECT, 0);
        uint32_t count = 0;
        for (dom::key_value_pair member : object) {
            append_text(member.key.data(), member.key.size());
            if (!append_value(member.value, depth + 1)) return false;
            count += 1;
        }
        nodes[place].count = count;
        nodes[place].span = static_cast<uint32_t>(nodes.size() - place);
        return true;
    }

    // A list or an object is at this depth, 1 for the whole document.
    bool append_value(dom::element element, size_t depth) {
        switch (element.type()) {
        case dom::element_type::ARRAY: return append_list(dom::array(element), depth);
        case dom::element_type::OBJECT: return append_object(dom::object(element), depth);
        case dom::element_type::STRING: {
            std::string_view text(element);
            append_text(text.data(), text.size());
            return true;
        }
        case dom::element_type::INT64:
            nodes[append(FB_JSON_INTEGER, 0)].value.integer = int64_t(element);
            return true;
        case dom::element_type::UINT64:
            nodes[append(FB_JSON_UNSIGNED, 0)].value.unsigned_integer = uint64_t(element);
            return true;
        case dom::element_type::DOUBLE:
            nodes[append(FB_JSON_REAL, 0)].value.real = double(element);
            return true;
        case dom::element_type::BOOL:
            append(bool(element) ? FB_JSON_TRUE : FB_JSON_FALSE, 0);
            return true;
        default: append(FB_JSON_NULL, 0); return true;
        }
    }
};

fb_json_tape *fb_json_tape_create(void) { return new (std::nothrow) fb_json_tape; }

void fb_json_tape_destroy(fb_json_tape *tape) { delete tape; }

const fb_json_node *fb_json_tape_read(fb_json_tape *tape, const uint8_t *text, size_t length) {
    // No exception may pass into C; the only one there can be is for memory.
    try {
        if (length > UINT32_MAX || !tape->make_room(length)) return nullptr;
        std::memcpy(tape->padded.get(), text, length);
        std::memset(tape->padded.get() + length, ' ', simdjson::SIMDJSON_PADDING);
        dom::element root;
        auto fault = tape->parser.parse(tape->padded.get(), length, false).get(root);
        if (fault != simdjson::SUCCESS) return nullptr;
        tape->nodes.clear();
        return tape->append_value(root, 1) ? tape->nodes.data() : nullptr;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}
