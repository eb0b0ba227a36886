// The choice of the item to branch on, among open items whose options are vectors of bits: the live
// options of eight items at a time are counted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "cover.hpp"
#include "lanes.hpp"

namespace exactile::EXACTILE_ISA {

inline constexpr std::size_t kLanes = 8;

// Storage for lanes.
struct alignas(64) Block {
    Word word[kLanes];
};

// What to branch on, in one number that is smaller for the better choice: the number of branches,
// then the number of the item.
using Key = std::int64_t;
inline Key branches_of(Key key) { return key >> 32; }
inline std::size_t item_in(Key key) { return static_cast<std::size_t>(key & 0xffffffff); }

// A key with the number of branches that its item really has; see `pick`.
inline Key counted(Key key, const Block* masks, std::size_t words, const Word* live,
                   const Block* surplus) {
    const std::size_t item = item_in(key);
    const std::size_t lane = item % kLanes;
    Key branches = surplus ? -static_cast<Key>(surplus[item / kLanes].word[lane]) : 0;
    for (std::size_t w = 0; w < words; ++w)
        branches += bits_in(masks[item / kLanes * words + w].word[lane] & live[w]);
    return branches << 32 | static_cast<Key>(item);
}

// The least key of the open items. `masks` holds, for each block of eight items and each word of
// `live`, the options of these items. `surplus`, if not null, is each item's need less one. Items
// with at most `near` branches, but more than one, count as equal.
template <std::size_t kWords>
inline Key pick(const Block* masks, std::size_t words, const Word* live, const Word* open,
                std::size_t blocks, const Block* surplus, Index near) {
    if (kWords) words = kWords;
    const Block* const first = masks;
    Lanes best = splat(static_cast<Word>(std::numeric_limits<Key>::max()));
    Lanes index = load(Block{{0, 1, 2, 3, 4, 5, 6, 7}}.word);
    for (std::size_t b = 0; b < blocks; ++b, masks += words, index = plus(index, splat(kLanes))) {
        const unsigned mask = open[b / kLanes] >> (b % kLanes * kLanes) & 255;
        if (!mask) continue;
        Lanes count = splat(0);
        for (std::size_t w = 0; w < words; ++w)
            count = plus(count, population(both(load(masks[w].word), splat(live[w]))));
        if (surplus) count = minus(count, load(surplus[b].word));
        if (near > 1) count = raised(count, splat(static_cast<Word>(near)));
        best = lesser(best, mask, either(shifted(count), index));
    }
    const Key key = least(best);
    return near > 1 ? counted(key, first, words, live, surplus) : key;
}

}  // namespace exactile::EXACTILE_ISA
