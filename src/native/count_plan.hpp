// A cover problem laid out for counting: blocks of options, and where each item stands in a state.
//
// Options are decided block by block. All options of a block contain its anchor, an item that can
// be used once only, so at most one of them is taken. The anchor of an option is its item of least
// rank among those that can be anchors; an option without such an item is a block of its own. So
// after the block of an anchor every option that contains the anchor has been decided.
//
// The state is what the options decided so far mean for the others: for each item that occurs both
// before and after this point, how often it has been used. An item gets a field of bits when the
// first block that contains it is decided and gives it back after the last one.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "cover.hpp"
#include "kernels.hpp"

namespace exactile {

// As Cover, with three differences: an option may contain an item several times; it may give a
// secondary item a color; and it may be empty, free to take or leave.
struct CountProblem {
    std::vector<Index> lower;
    std::vector<Index> upper;
    std::vector<std::int64_t> first;
    std::vector<Index> members;
    std::vector<Index> colors;  // of each member, 0 is none
    std::vector<Index> rank;    // a permutation of the items: the order in which they are decided

    Index items() const { return static_cast<Index>(lower.size()); }
    Index options() const { return static_cast<Index>(first.size()) - 1; }

    // Throws std::invalid_argument with a readable message if the arrays are not as described.
    void validate() const;
};

// Bits of a state. The value is the number of uses, or of the color (1 is "used without one").
struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint64_t mask = 0;  // of the value, not yet shifted

    std::uint64_t get(const std::uint64_t* state) const { return state[word] >> shift & mask; }
    void put(std::uint64_t* state, std::uint64_t value) const {
        state[word] = (state[word] & ~(mask << shift)) | value << shift;
    }
};

// Some bits of a state, word by word in increasing order; what is not there is zero.
struct Part {
    std::uint32_t word;
    std::uint64_t bits;
    auto operator<=>(const Part&) const = default;
};
using Mask = std::vector<Part>;

// Many masks. For short states all words of a mask are stored, for long ones those with bits.
class Masks {
public:
    static constexpr std::size_t kShort = 4;  // words

    explicit Masks(std::size_t words = 1) : words_(words) {}
    void add(const Mask& mask) {
        if (words_ <= kShort) {
            dense_.resize(dense_.size() + words_);
            for (const Part& part : mask) (dense_.end() - words_)[part.word] = part.bits;
        } else {
            parts_.insert(parts_.end(), mask.begin(), mask.end());
        }
        first_.push_back(parts_.size());
    }
    std::size_t size() const { return first_.size() - 1; }

    // Whether mask k and a state have a bit in common; `Words` is its length if that is short.
    template <std::size_t Words>
    bool meets(std::size_t k, const std::uint64_t* state) const {
        if constexpr (Words > 0) {
            const std::uint64_t* const mask = dense_.data() + k * Words;
            std::uint64_t common = 0;
            for (std::size_t w = 0; w < Words; ++w) common |= mask[w] & state[w];
            return common != 0;
        }
        return std::any_of(begin(k), end(k),
                           [&](const Part& part) { return (part.bits & state[part.word]) != 0; });
    }
    // Whether mask k and mask j of others, which are not short, have a bit in common.
    bool meets(std::size_t k, const Masks& others, std::size_t j) const {
        return std::any_of(begin(k), end(k), [&](const Part& mine) {
            return std::any_of(others.begin(j), others.end(j), [&](const Part& theirs) {
                return mine.word == theirs.word && (mine.bits & theirs.bits) != 0;
            });
        });
    }
    // Call `use` with the number of each bit of mask k, 64 a word.
    template <typename Use>
    void each_bit(std::size_t k, Use use) const {
        const auto read = [&](std::size_t word, std::uint64_t bits) {
            for (; bits != 0; bits &= bits - 1)
                use(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
        };
        if (is_short())
            for (std::size_t w = 0; w < words_; ++w) read(w, words_of(k)[w]);
        else
            for (const Part* p = begin(k); p < end(k); ++p) read(p->word, p->bits);
    }
    // Mask k as long as a state, if that is short; else its parts.
    bool is_short() const { return words_ <= kShort; }
    const std::uint64_t* words_of(std::size_t k) const { return &dense_[k * words_]; }
    const Part* begin(std::size_t k) const { return parts_.data() + first_[k]; }
    const Part* end(std::size_t k) const { return parts_.data() + first_[k + 1]; }

private:
    std::size_t words_;
    std::vector<std::uint64_t> dense_;
    std::vector<Part> parts_;
    std::vector<std::size_t> first_{0};
};

// An option uses an item that may be used several times, or paints one.
struct Use {
    Field field;
    std::uint64_t amount;  // uses, or the color's code
    std::uint64_t most;    // uses in all at most; 0: the item is painted
};

struct Move {
    Index option;
    std::size_t uses;  // the uses from here to those of the next move
};

// After a block a value below `least` has no future. One of `low` to `high` can break neither bound
// any more: it becomes `low`, so that such states are one.
struct Bound {
    Field field;
    std::uint64_t least, low, high;
};

struct Block {
    std::size_t moves;   // from here to those of the next block
    std::size_t bounds;  // likewise
    Field anchor;        // mask 0 if there is none
    bool must;           // the anchor has to be used: one option must be taken
};

// The demands on a state before a block: items that must be used, that options decided so far could
// have used, and that are not due yet. Each has the masks of its options to come: bits that must
// not be set if the option is to be taken. Only the least masks are kept; an item is left out if no
// decision so far can rule out all its options.
class Plan;

struct Demands {
    struct Demand {
        Field field;
        std::size_t open;   // the first block with the item
        std::size_t masks;  // from here to those of the next one; of short states, groups of eight
    };
    static constexpr std::size_t kNothing = std::numeric_limits<std::size_t>::max();

    // What is remembered from one short state to the next: the masks that met the demands last,
    // which are tried first, and the bits of demands that are new since a block.
    struct Hints {
        std::vector<std::uint64_t> masks;
        std::size_t since = kNothing;
        std::array<std::uint64_t, Masks::kShort> fresh{};
    };

    std::vector<Demand> items;  // and one more, for the end
    // If states are long: the masks, and of each item all that its options use.
    Masks masks, near;
    // If states are short: the masks as free_mask() reads them, the last one again and again where
    // there are fewer than eight; the bits of all items, and the item of each bit.
    struct alignas(64) Eight {
        std::array<std::uint64_t, 8> words;
    };
    std::vector<Eight> groups;
    FreeMask free_mask = nullptr;
    std::array<std::uint64_t, Masks::kShort> bits{};
    std::vector<std::uint32_t> item_of;

    // Add the masks of an item, if states are short.
    void add_groups(const std::vector<Mask>& of_item, std::size_t words);
    // Whether no option to come can meet some demand: such a state has no future. If the state was
    // made by taking move `took` of the plan in a state with a future before block `earlier`, only
    // new demands and those near that move are tested; with `kNothing`, all of them.
    bool hopeless(const std::uint64_t* state, const Plan& plan, std::size_t took,
                  std::size_t earlier, Hints& hints) const;

private:
    template <std::size_t Words>
    bool can_meet(std::size_t demand, const std::uint64_t* state, Hints& hints) const;
    template <std::size_t Words>
    bool fail(const std::uint64_t* state, const Plan& plan, std::size_t took, Hints& hints) const;
    bool fail(const std::uint64_t* state, const Plan& plan, std::size_t took, std::size_t earlier,
              Hints& hints) const;
};

// An item in supply that has to be used a fixed number of times. It has bits of its own, which are
// zero again after the last block that contains it.
struct Stock {
    Field field;
    std::uint64_t uses;           // in all
    std::uint64_t close;          // the last block
    std::vector<double> decided;  // share of its options that come before each block
};

class Plan {
public:
    // If bits are used again for other items, states are short. If each item has bits of its own,
    // those of an item that no option decided so far contains are zero in every state.
    enum class Bits { given_again, own };

    // Demands ignore items in supply: these need not be used, and exclude nothing.
    explicit Plan(const CountProblem& problem, Bits bits = Bits::given_again,
                  const std::vector<bool>& supplied = {});

    // Whether the anchor of a block is used up, so that none of its options may be taken.
    bool anchored(std::size_t block, const std::uint64_t* state) const {
        return blocks[block].anchor.mask != 0 && blocks[block].anchor.get(state) != 0;
    }
    // `Words` is the length of a state if it is known and short; else 0.
    // Take an option; false if the state does not allow it.
    template <std::size_t Words = 0>
    bool apply(std::size_t move, const std::uint64_t* state, std::uint64_t* next) const;
    // Finish a block: check what must be met by now, merge and forget what no longer matters.
    template <std::size_t Words = 0>
    bool settle(std::size_t block, std::uint64_t* state) const;
    Demands demands(std::size_t block) const;
    // How many items that are anchors an option contains, at least one.
    std::vector<std::uint32_t> anchors_of_moves() const;

    bool feasible = true;  // false: some item has too few options
    std::size_t words = 1;
    std::size_t width = 0;      // bits of the widest state
    std::vector<Block> blocks;  // and one more, for the ends
    std::vector<Move> moves;    // and one more, for the ends
    std::vector<Use> uses;
    std::vector<Bound> bounds;
    std::vector<Stock> stock;
    Masks taken;  // per move: the items it uses up
    Masks near;   // per move, if states are short: demanding items that share an option with them
    Masks required;  // per block: bits to be set after it
    Masks leaving;   // per block: bits that are forgotten after it

private:
    struct Member {
        Index item;
        Index weight;
        Index code;  // of a painted item, else 0
    };
    struct Item {
        enum class Kind { none, bit, counter, painted } kind = Kind::none;
        std::int64_t total = 0;    // uses if all options were taken
        std::uint64_t most = 0;    // greatest value of its field
        bool stocked = false;      // in supply, to be used a fixed number of times
        std::vector<Index> codes;  // colors met, 0 for none
        std::ptrdiff_t open = -1;  // first and last block
        std::ptrdiff_t close = -1;
        std::int64_t future = 0;  // most uses in blocks to come
        Field field;
    };

    void read_options(const CountProblem& problem);
    void choose_kinds(const CountProblem& problem);
    void make_blocks(const CountProblem& problem);
    void find_spans();
    void give_fields(Bits bits);
    void give_stock();
    void find_demanding(const CountProblem& problem);
    void find_near();
    bool in_supply(Index item) const { return !supplied_.empty() && supplied_[item]; }
    std::vector<Mask> obstacles(std::size_t item, std::size_t block) const;
    void lay_out(const CountProblem& problem);
    void add_bounds(const CountProblem& problem, std::size_t block, Mask& must, Mask& gone);

    std::vector<bool> supplied_;
    std::vector<Item> items_;
    std::vector<std::vector<Member>> options_;
    std::vector<bool> possible_;
    std::vector<std::vector<Index>> members_of_block_;  // options of each block
    std::vector<Index> anchors_;                        // item, or -1
    std::vector<std::vector<std::size_t>> demanding_;   // moves with an item that must be used
    std::vector<Mask> near_;                            // all that these use
};

template <std::size_t Words>
inline bool Plan::apply(std::size_t move, const std::uint64_t* state, std::uint64_t* next) const {
    const std::size_t count = Words > 0 ? Words : words;
    if (Words > 0 || taken.is_short()) {
        const std::uint64_t* const mask = taken.words_of(move);
        for (std::size_t w = 0; w < count; ++w) {
            if ((state[w] & mask[w]) != 0) return false;
            next[w] = state[w] | mask[w];
        }
    } else {
        if (taken.meets<0>(move, state)) return false;
        std::copy_n(state, words, next);
        for (const Part* p = taken.begin(move); p < taken.end(move); ++p) next[p->word] |= p->bits;
    }
    if (uses.empty()) return true;
    for (std::size_t u = moves[move].uses; u < moves[move + 1].uses; ++u) {
        const Use& use = uses[u];
        const std::uint64_t value = use.field.get(next);
        if (use.most == 0) {  // painted: not yet used, or with the same color
            if (value != 0 && (value != use.amount || value == 1)) return false;
            use.field.put(next, use.amount);
        } else {
            if (value + use.amount > use.most) return false;
            use.field.put(next, value + use.amount);
        }
    }
    return true;
}

template <std::size_t Words>
inline bool Plan::settle(std::size_t block, std::uint64_t* state) const {
    const std::size_t count = Words > 0 ? Words : words;
    for (std::size_t k = blocks[block].bounds; k < blocks[block + 1].bounds; ++k) {
        const Bound& bound = bounds[k];
        const std::uint64_t value = bound.field.get(state);
        if (value < bound.least) return false;
        if (value > bound.low && value <= bound.high) bound.field.put(state, bound.low);
    }
    if (Words > 0 || required.is_short()) {
        const std::uint64_t* const must = required.words_of(block);
        const std::uint64_t* const gone = leaving.words_of(block);
        for (std::size_t w = 0; w < count; ++w) {
            if ((state[w] & must[w]) != must[w]) return false;
            state[w] &= ~gone[w];
        }
        return true;
    }
    for (const Part* p = required.begin(block); p < required.end(block); ++p)
        if ((~state[p->word] & p->bits) != 0) return false;
    for (const Part* p = leaving.begin(block); p < leaving.end(block); ++p)
        state[p->word] &= ~p->bits;
    return true;
}

}  // namespace exactile
