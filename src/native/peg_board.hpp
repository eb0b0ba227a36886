// Peg solitaire: boards of up to 64 holes, positions as bit masks, jumps, moves and symmetries.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exactile {

using Position = std::uint64_t;  // bit h is set if there is a peg in hole h

// How a search in slices stands.
enum class PegStatus { running, done, out_of_memory };

struct Jump {
    Position holes;   // all three
    Position before;  // those of them that have pegs before the jump
    int from, to;

    bool allowed(Position p) const { return (p & holes) == before; }
    Position after(Position p) const { return p ^ holes; }
    // The same jump taken back.
    Jump reversed() const { return {holes, holes ^ before, to, from}; }
};

class PegBoard {
public:
    // `jumps` has three holes for each jump: from, over, to. `symmetries` has, for each symmetry
    // that is used, the image of each hole; the first one must be the identity. Throws
    // std::invalid_argument if they are not as described.
    PegBoard(int holes, const std::vector<int>& jumps, const std::vector<int>& symmetries);

    int holes() const { return holes_; }
    const std::vector<Jump>& jumps() const { return jumps_; }
    // Throws std::invalid_argument unless there are pegs, all of them on the board.
    void require(Position p) const;

    // The least image of a position.
    Position canonical(Position p) const {
        Position least = p;
        for (std::size_t s = 1; s < images_.size(); ++s) least = std::min(least, image(p, s));
        return least;
    }
    // The least image of a position in which one hole is marked.
    void canonical(Position& p, std::uint8_t& hole) const;

private:
    Position image(Position p, std::size_t symmetry) const {
        Position result = 0;
        const auto& tables = images_[symmetry];
        for (std::size_t byte = 0; byte < tables.size(); ++byte)
            result |= tables[byte][p >> 8 * byte & 255];
        return result;
    }

    int holes_;
    std::vector<Jump> jumps_;
    std::vector<std::vector<std::array<Position, 256>>> images_;  // by symmetry and byte
    std::vector<std::vector<std::uint8_t>> moved_;                // by symmetry and hole
};

// All moves from a position, one after the other: a peg jumps once or several times. Backwards:
// all positions from which one move leads to it.
class MoveWalk {
public:
    MoveWalk(const PegBoard& board, bool backwards);

    // Begin; `most_jumps` is the largest number of jumps of a move.
    void begin(Position p, int most_jumps);
    // The position after the next move, which may have been met before; false if there are no more.
    bool next(Position& result);

private:
    struct Step {
        Position p;
        int hole;       // where the peg is that moves
        std::size_t k;  // the next of its jumps to be tried
    };

    std::vector<std::vector<Jump>> jumps_;  // by the hole where they begin
    Position start_ = 0, untried_ = 0;      // pegs that are still to move
    std::size_t most_ = 0;
    std::vector<Step> steps_;  // the move, jump by jump
};

}  // namespace exactile
