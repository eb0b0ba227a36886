// What is in supply (the pieces), and how the uses of it are packed into keys and put in order.
//
// A key is how often each item is used: a field of bits each. A label is what an option takes.
// If each item can be given a weight so that all keys of a node weigh the same (the area that its
// options cover), the keys of that weight are a class, and each has a rank in it: then a list of
// counts needs no keys.
//
// The fields are split into a low and a high half. A class is cut into runs, one for each value of
// the high half, in which the low half runs through all values of the right weight. So a label
// that takes of the high half only moves whole runs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cover.hpp"

namespace exactile {

using Key = std::uint64_t;

// The keys of one weight.
struct Class {
    struct Run {
        std::uint32_t high;
        std::uint32_t low;     // the keys of this run: number of a set of values of the low half
        std::uint64_t offset;  // the rank of the first
    };
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    std::uint64_t size = 0;
    std::vector<Run> runs;
    std::vector<std::uint64_t> start;  // by value of the high half: the offset of its run, or kNone
};

// What an option takes of the supply.
struct Label {
    struct Check {
        Key mask, most;  // a key may take it if its part under the mask is at most this
    };
    struct Shift {
        std::uint32_t from, to;  // places in a run
    };

    Key add = 0;
    std::vector<Check> checks;
    std::uint64_t weight = 0;
    // For ranked keys:
    Key high_add = 0;
    bool moves_low = false;
    std::vector<Check> high_checks;
    std::vector<std::vector<Shift>> shifts;  // by set of low values, if the low half changes

    bool fits(Key key) const {
        for (const Check& check : checks)
            if ((key & check.mask) > check.most) return false;
        return true;
    }
    // Whether a key may have come about by taking this.
    bool contained(Key key) const {
        for (const Check& check : checks)
            if ((key & check.mask) < (add & check.mask)) return false;
        return true;
    }
    bool fits_high(Key high) const {
        for (const Check& check : high_checks)
            if ((high & check.mask) > check.most) return false;
        return true;
    }
};

// How many times an option takes an item.
using Taking = std::vector<std::pair<Index, std::uint64_t>>;

class Supply {
public:
    static constexpr std::size_t kMostBits = 64;
    struct Part {  // the field of an item
        std::size_t shift, bits;
        std::uint64_t lower, upper, weight;
    };

    // Bounds and weight of each item; items that come first get the low bits.
    Supply(std::vector<std::uint64_t> lower, std::vector<std::uint64_t> upper,
           std::vector<std::uint64_t> weights);

    bool fits_in_keys() const { return bits_ <= kMostBits; }
    std::size_t bits() const { return bits_; }
    const std::vector<Part>& parts() const { return parts_; }  // one an item
    Key full() const { return full_; }                         // all uses of all items
    std::uint64_t full_weight() const { return full_weight_; }
    Label label(const Taking& taking) const;
    bool sufficient(Key key) const;  // whether the lower bounds are met
    std::uint64_t uses(std::size_t item, Key key) const { return field(parts_[item], key); }

    // How many keys have a weight, at most `most`; from the number of each weight.
    std::uint64_t count(std::uint64_t weight) const;

    // What the upper bounds leave over if the lower ones are met: all keys (of a weight, if it is
    // given) with no more than upper - lower of each. Empty if there are more than `most`.
    std::vector<Key> rests(const std::uint64_t* weight, std::size_t most) const;

    // Prepare ranks: the classes of some weights, and the shifts of labels.
    void rank(const std::vector<std::uint64_t>& weights, std::vector<Label>& labels);
    const Class& of_weight(std::uint64_t weight) const { return classes_.at(weight); }
    std::uint64_t bytes() const;

    // For the keys of a class.
    std::uint64_t rank_of(const Class& in, Key key) const {
        return in.start[key >> low_bits_] + low_place_[key & low_mask_];
    }
    const std::vector<std::uint32_t>& low_values(std::uint32_t set) const { return lows_[set]; }
    Key join(std::uint64_t high, std::uint64_t low) const { return high << low_bits_ | low; }

private:
    std::uint64_t field(const Part& part, Key key) const {
        return key >> part.shift & (bits_of(part));
    }
    static std::uint64_t bits_of(const Part& part) {
        return part.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << part.bits) - 1;
    }
    void split();

    std::vector<Part> parts_;
    std::size_t bits_ = 0, low_bits_ = 0, low_parts_ = 0;
    Key full_ = 0, low_mask_ = 0;
    std::uint64_t full_weight_ = 0;
    std::vector<std::uint64_t> counts_;  // keys by weight
    std::map<std::uint64_t, std::uint32_t> low_set_;
    std::vector<std::vector<std::uint32_t>> lows_;  // values of the low half of one weight
    std::vector<std::uint32_t> low_place_;          // by value
    std::vector<std::pair<std::uint32_t, std::uint64_t>> highs_;  // values and their weights
    std::map<std::uint64_t, Class> classes_;
};

}  // namespace exactile
