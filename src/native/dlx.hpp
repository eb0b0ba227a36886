// Exact cover by Algorithm X on sparse sets ("dancing cells"), stoppable at any node.
//
// State. For every item, the live options that contain it form the first `live[i]` places of a
// block of `cells`; a place holds a node, that is, one membership of an option. Removing an option
// swaps each of its nodes behind the live part of its block. Restoring in reverse order needs no
// swap at all: the node to restore is the first one behind the live part. The same trick keeps the
// set `open` of items that still need options.
//
// Search. At a node take the open item with the least number of branches,
// live[i] - (lower[i] - used[i]) + 1, and for each of its live options in turn: choose it, search
// below, undo, then remove it for the rest of this node, so that no set of options is met twice.
// When no item is open, live options may still be added freely (items whose lower bound is met but
// not their upper one); each of them is chosen or removed in the same way.
//
// The stack is explicit, so run() can stop after a number of solutions or a time and go on later.

#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "cover.hpp"

namespace exactile {

class Dlx {
public:
    explicit Dlx(Cover cover);

    // Search on until `limit` solutions are found, `seconds` are over, or nothing is left.
    Slice run(std::int64_t limit, double seconds);

    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t updates() const { return updates_; }

private:
    static constexpr Index kNone = -1;

    struct Frame {
        Index item;               // the item to branch on, or kNone at a solution
        Index option;             // the option chosen at present, or kNone
        bool optional;            // the item's need is met: "no further option" is a branch too
        bool skipped;             // that branch has been taken
        std::size_t node_mark;    // trail size when the node was entered
        std::size_t choice_mark;  // trail size before the present choice
    };

    void remove(Index option);
    void restore(Index option);
    void undo_to(std::size_t mark);
    void choose(Index option);
    void unchoose();
    void enter();
    bool advance();
    Index pick_item() const;
    Index any_live_item() const;
    Index need(Index item) const { return cover_.lower[item] - used_[item]; }
    void close_item(Index item);
    bool out_of_time();

    Cover cover_;
    std::vector<Index> option_of_;     // node -> option
    std::vector<std::int64_t> block_;  // item -> start of its block in cells_
    std::vector<std::int64_t> cells_;  // place -> node
    std::vector<std::int64_t> place_;  // node -> place
    std::vector<Index> live_;          // item -> number of live options
    std::vector<Index> used_;          // item -> number of chosen options
    std::vector<Index> open_;          // items with need > 0, first open_count_ places
    std::vector<Index> open_place_;
    std::size_t open_count_ = 0;
    std::int64_t live_options_ = 0;
    std::vector<Index> trail_;   // removed options, in order
    std::vector<Index> chosen_;  // chosen options, in order
    std::vector<Frame> stack_;
    bool descending_ = true;  // the next step enters a node (else: moves one to its next branch)
    bool exhausted_ = false;
    std::uint64_t nodes_ = 0;
    std::uint64_t updates_ = 0;
    std::uint64_t next_check_ = 0;
    std::chrono::steady_clock::time_point deadline_;
};

}  // namespace exactile
