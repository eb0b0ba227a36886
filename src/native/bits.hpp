// Exact cover on bit vectors: the live options as bits, the items of an option as a row of bytes.
//
// State. `live_` holds, for every depth, one bit per option. Choosing an option clears at once, a
// word at a time, the options of every item that is used up: they are bit masks too.
//
// Branching needs the number of live options of every open item. Deep in the tree, where most
// nodes are, few options are live: their rows of bytes are added up, and the counts of all items
// lie side by side in a few vector registers. Near the root counts may exceed a byte; there the
// masks are counted instead.
//
// The tree searched is that of Dlx (see dlx.hpp): the same branching, solutions in another order.

#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "cover.hpp"

namespace exactile {

class Bits {
public:
    explicit Bits(Cover cover);

    // Search on until `limit` solutions are found, `seconds` are over, or nothing is left.
    Slice run(std::int64_t limit, double seconds);

    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t updates() const { return updates_; }  // words of bits cleared

    static constexpr Index kMostUses = 255;  // lower bounds must fit a byte

private:
    using Word = std::uint64_t;
    static constexpr Index kNone = -1;

    struct Frame {
        Index item;     // the item to branch on, or kNone
        Index option;   // the option chosen at present, or kNone
        bool optional;  // no item is open: "no further option" is a branch too
        bool skipped;   // that branch has been taken
    };

    Word* live(std::size_t depth) { return live_.data() + depth * words_; }
    bool enter(Slice& slice);
    bool advance();
    Index pick_item(const Word* here);
    Index pick_among_many(const Word* here) const;
    void choose(Index option, std::size_t depth);
    void unchoose(Index option);
    bool out_of_time();

    Cover cover_;
    std::size_t words_;                  // words of a bit vector over options
    std::size_t bytes_;                  // bytes of a row over items, a multiple of the vector size
    std::vector<Word> masks_;            // item -> its options
    std::vector<std::uint8_t> rows_;     // option -> its items
    std::vector<Index> original_;        // option here -> option of the model
    std::vector<Index> used_;            // item -> number of chosen options
    std::vector<std::uint8_t> closed_;   // item -> 255 if its need is met, else 0
    std::vector<std::uint8_t> surplus_;  // item -> need - 1 while it is open
    std::vector<std::uint8_t> counts_;   // scratch of pick_item
    std::size_t open_count_ = 0;
    std::vector<Word> live_;             // depth -> bit vector
    std::size_t live_count_ = 0;         // bits in the last vector made
    std::vector<const Word*> finished_;  // scratch of choose
    std::vector<Frame> stack_;
    std::vector<Index> chosen_;
    std::vector<Index> result_;
    bool descending_ = true;
    bool exhausted_ = false;
    std::uint64_t nodes_ = 0;
    std::uint64_t updates_ = 0;
    std::uint64_t next_check_ = 0;
    std::chrono::steady_clock::time_point deadline_;
};

}  // namespace exactile
