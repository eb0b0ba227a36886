// An exact-cover problem with bounds and colors, in flat arrays: what every native search reads.
//
// There are items 0 .. items()-1 and options 0 .. options()-1. Option o contains the items
// members[first[o] .. first[o+1]), each at most once. A solution is a set of options in which
// every item i occurs at least lower[i] and at most upper[i] times. The classical primary item has
// bounds [1, 1], the classical secondary item [0, 1].
//
// colors[k] is the color that the option gives to its item members[k], 0 for none. Any number of
// options may contain a secondary item if all of them give it the same color.

#pragma once

#include <cstdint>
#include <vector>

namespace exactile {

using Index = std::int32_t;

struct Cover {
    std::vector<Index> lower;
    std::vector<Index> upper;
    std::vector<std::int64_t> first;
    std::vector<Index> members;
    std::vector<Index> colors;

    Index items() const { return static_cast<Index>(lower.size()); }
    Index options() const { return static_cast<Index>(first.size()) - 1; }
};

// The options of a cover: option o contains members[first[o] .. first[o+1]).
struct Options {
    std::vector<std::int64_t> first;
    std::vector<Index> members;
};

// Options with further members behind their own: items[k] for option options[k], in this order.
// Throws std::invalid_argument if there is no such option.
Options extended(const Options& own, const std::vector<Index>& options,
                 const std::vector<Index>& items);

// A checked cover, and what both kernels derive from it.
//
// The slots of an option determine its effect on others. A slot is an item, or an item with one of
// its colors; slots below items() are the items themselves. Once an option with some slot is
// chosen and the item is used up, the slot's rivals are out: all options that contain the item, but
// not those that give it the slot's color.
struct Problem {
    explicit Problem(Cover cover);  // throws std::invalid_argument if the arrays are wrong

    Cover cover;
    std::vector<Index> slots;      // the slots of option o are slots[first[o] .. first[o+1])
    std::vector<Index> item_of;    // slot -> item
    std::vector<Index> primaries;  // the items that need options, in increasing order
    bool loose = false;            // whether an option need not be among its own rivals

    std::size_t options() const { return static_cast<std::size_t>(cover.options()); }
    Index slot_count() const { return static_cast<Index>(item_of.size()); }
    bool colored(Index slot) const { return slot >= cover.items(); }
};

}  // namespace exactile
