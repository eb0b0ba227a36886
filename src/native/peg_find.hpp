// Finds sequences of jumps one after the other, depth first. Positions below which nothing was
// found are remembered, up to symmetry, and never entered again.

#pragma once

#include <cstdint>
#include <vector>

#include "peg_board.hpp"
#include "peg_positions.hpp"

namespace exactile {

class PegFinder {
public:
    // The symmetries of the board must carry goals to goals.
    PegFinder(PegBoard board, Position start, std::vector<Position> goals,
              std::uint64_t most_bytes);

    // Search until there are `limit` sequences to be taken, for `seconds`, until there are this
    // many nodes in all, or to the end.
    PegStatus run(double seconds, std::size_t limit, std::uint64_t most_nodes);
    // Begin anew with another order of the jumps, as a permutation of their numbers. What is known
    // to lead nowhere stays known. Throws std::logic_error if a sequence was found before.
    void restart(const std::vector<std::uint32_t>& order);
    // The sequences found since the last call, as numbers of jumps, length() each.
    std::vector<std::int32_t> take();

    std::size_t waiting() const { return waiting_; }
    int length() const { return length_; }
    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t dead() const { return dead_.size(); }

private:
    struct Node {
        Position p;
        std::size_t k;  // the place in the order of the next jump to be tried
        bool found;     // something, somewhere below
    };

    PegStatus step();

    PegBoard board_;
    std::vector<Position> goals_;  // sorted
    Position start_;
    std::uint64_t most_bytes_;
    std::vector<std::uint32_t> order_;  // of the jumps
    PegStatus status_ = PegStatus::running;
    int length_;
    std::vector<Node> nodes_open_;
    std::vector<std::int32_t> path_, found_;
    std::size_t waiting_ = 0;
    std::uint64_t nodes_ = 0, found_so_far_ = 0;
    PositionSet dead_;
};

}  // namespace exactile
