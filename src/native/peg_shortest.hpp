// The fewest moves from a start to goals: level by level, from both ends until they meet.
//
// Level k from the start has the positions that k moves reach, and no fewer do; from the goals,
// those from which k moves reach a goal. All are kept up to symmetry. When levels i and j are
// complete and have nothing in common, there is no solution of i + j moves. After they have met,
// the positions on shortest solutions are picked out: those of each level from one end that are on
// the complementary level from the other one.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "peg_board.hpp"
#include "peg_positions.hpp"

namespace exactile {

class PegShortest {
public:
    // The symmetries of the board must carry goals to goals. `both_ends`: search from the goals
    // too, each time from the end with fewer positions to expand.
    PegShortest(PegBoard board, Position start, std::vector<Position> goals, bool both_ends,
                std::uint64_t most_bytes);

    // Work on for `seconds` or to the end.
    PegStatus run(double seconds);

    // When done: the fewest moves, -1 if the goals cannot be reached.
    int moves() const { return moves_; }
    // When done: the positions on shortest solutions with a number of moves left, canonical.
    std::vector<Position> useful(std::size_t moves_left) const;

    // Levels from the start and from the goals that are complete, and positions in them.
    std::size_t levels(std::size_t side) const { return sides_[side].set->levels(); }
    std::size_t level_size(std::size_t side, std::size_t level) const {
        return sides_[side].set->level_size(level);
    }
    std::size_t positions() const { return sides_[0].set->size() + sides_[1].set->size(); }
    // Positions after moves that were visited.
    std::uint64_t nodes() const { return nodes_; }

private:
    struct Side {
        MoveWalk walk;
        std::unique_ptr<PositionSet> set = std::make_unique<PositionSet>();
    };

    void begin_level(std::size_t side, const PositionSet& set, std::size_t level);
    bool next_position();
    PegStatus search();
    PegStatus choose_side();
    PegStatus pick_out();
    std::size_t bytes() const;

    PegBoard board_;
    std::uint64_t most_bytes_;
    PegStatus status_ = PegStatus::running;
    bool both_ends_;
    int start_pegs_, goal_pegs_, moves_ = -1;
    std::array<Side, 2> sides_;  // from the start, from the goals

    // What is being walked through: the positions of a level, by moves of one side.
    std::size_t side_ = 0, level_ = 0, shard_ = 0, place_ = 0;
    const PositionSet* source_ = nullptr;
    std::unique_ptr<PositionSet> met_;  // positions of both last levels
    std::uint64_t nodes_ = 0;

    // Positions on shortest solutions, by the number of moves left; level 0 of each set.
    std::vector<std::unique_ptr<PositionSet>> useful_;
    std::size_t picked_ = 0;  // the number of moves left where the picking stands
};

}  // namespace exactile
