// Taking assemblies apart: breadth first over the displacements of the pieces, and their shapes if
// they may be turned.

#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "assembly_distances.hpp"
#include "assembly_relation.hpp"
#include "assembly_turns.hpp"
#include "deadline.hpp"

namespace exactile::assembly {

constexpr std::size_t kMostDirections = 32;

// Pieces that move together by some steps in a direction: 2 d one way, 2 d + 1 the other. The last
// move of a separation leads away: its steps are 0. Or, if `turn` is not negative, a quarter turn.
struct Move {
    Pieces pieces;
    std::int8_t direction;
    std::int8_t turn = -1;
    std::uint16_t steps = 0;
    std::array<std::int16_t, 2> axis{};  // of the turn, see `axis_of`
};

// A point of the axis of a turn in half units; moves have it relative to the first piece's place,
// in the plane of the next two axes of space.
Vec axis_of(const Move& move, const Vec& first);

// The moves that separate some pieces into those that leave and the rest.
struct Separation {
    Pieces pieces, removed;
    std::vector<Move> moves;  // empty if displacements along one line count as one move
    int number = 0;           // of moves
    Vec first{};              // the place of the first piece: axes are seen from there
};

enum class Outcome { kApart, kLocked, kUnknown };

// What counts as one move: a direction and a distance, or everything along one line.
enum class Counting { kDistances, kLines };

// Whether pieces may be turned, on the lattice of cubes.
enum class Turning { kNone, kQuarters };

// The shortest way to separate some pieces, found state by state.
class Separator {
public:
    enum class End { kOpen, kSeparated, kLocked, kTooMany };

    Separator(Distances& distances, Counting counting, Turning turning, std::size_t most)
        : distances_(&distances),
          counting_(counting),
          turning_(turning == Turning::kQuarters),
          most_(most) {}

    // Begin with pieces given by their shapes and displacements.
    void start(const std::vector<Placed>& pieces);
    // Work until the deadline; call again while it is open.
    End run(Clock::time_point deadline);

    // At the end of a separation: the last displacements, the moves, the pieces that leave.
    std::vector<Placed> placed() const;
    std::vector<Move> moves() const;
    const Vec& first() const { return pieces_[0].at; }
    int number() const { return depth_ + 1; }
    Pieces removed() const { return leaving_.pieces; }
    std::size_t states() const { return from_.size(); }

private:
    // Sets of pieces in the order in which they are found, each once.
    struct Sets {
        std::vector<Pieces> list;
        std::array<std::uint64_t, 4> small{};  // as bits, those of the first eight pieces
        std::unordered_set<Pieces> known;      // of others, if they are many
        bool add(Pieces set);
        void clear();
    };

    struct Box {
        Vec least, most;  // cells
    };

    // A piece that meets another one after some steps.
    struct Later {
        std::uint8_t piece, met;
        Distance steps;
    };

    struct Link {
        std::uint32_t from;
        Move move;
    };

    void measure(std::size_t state);
    void meet(std::size_t direction);
    bool separable();
    void expand(std::size_t state);
    void expand_line(std::size_t state, int direction);
    void expand_turns(std::size_t state);
    bool occupy(std::size_t state);
    Placed place(std::size_t state, std::size_t piece) const;
    Pieces swept(std::size_t piece, int turn, const Vec& axis);
    bool turns(const Move& move) const;
    bool through(Pieces pieces, const Move& turn) const;
    bool repeats(const Move& move) const;
    void add_moves(std::size_t state, Sets& sets, Move move);
    void carry(std::size_t state, const Move& move);
    void turn(std::size_t state, const Move& move);
    std::size_t find(std::uint64_t hash, std::size_t from, const Move& move);
    void settle(std::size_t state);
    std::uint64_t hashed(const std::int16_t* offsets) const;
    std::uint64_t hashed(std::uint64_t before, const Move& move) const;
    std::size_t slot(const std::int16_t* offsets, std::uint64_t hash) const;
    void rehash();

    Distances* distances_;
    Counting counting_;
    bool turning_;
    std::size_t most_, limit_ = 0;  // of states; the limit if memory allows fewer
    std::vector<Placed> pieces_;
    std::size_t width_ = 0;                // numbers of a state
    std::vector<std::int16_t> offsets_;    // of all states, relative to the first piece; if pieces
                                           // may be turned, then numbers of `forms_` of each piece
    std::vector<Vec> places_;              // of the pieces in the state that is measured
    std::vector<int> shapes_;              // and their shapes
    std::vector<std::vector<int>> forms_;  // piece -> shapes that it was turned into, its own first
    std::vector<Link> from_;
    std::vector<std::uint32_t> table_;    // hash table of states, plus 1
    std::vector<std::uint64_t> codes_;    // hashes are sums of the numbers of a state times these
    std::vector<std::uint64_t> by_step_;  // piece, direction -> what a step adds to a hash
    std::vector<std::uint32_t> lines_;    // directions along which a state's line is explored
    // Of the state that is measured, for one way along each direction. The other way, the relation
    // is reversed: each piece takes along the pieces that take it along here.
    std::vector<Relation> by_one_;  // direction -> pieces that move along by a step
    // For each two pieces: the ways, as bits, in which they meet after some steps, and these steps.
    std::vector<std::uint64_t> pairs_;
    std::vector<Distance> steps_;
    // Of directions in which some pieces move a step:
    std::vector<Later> later_;  // direction, meeting -> pieces in the way after some steps
    std::array<std::size_t, kMostDirections> meetings_{};  // direction -> number of these
    std::vector<Relation> by_steps_{1};  // steps - 1 -> groups in the direction that is expanded
    std::array<bool, kMostDirections> open_{};  // directions in which some pieces move a step
    Relation groups_;
    std::vector<Sets> sets_;   // steps - 1 -> groups and their unions
    std::vector<Move> moves_;  // of the state that is expanded, with hashes after them
    std::vector<std::uint64_t> hashes_;
    std::uint64_t hash_ = 0;           // of the state that is expanded
    Move came_by_{};                   // by which it was found
    std::vector<std::int16_t> moved_;  // the numbers of a state after a move
    bool too_far_ = false;             // whether pieces went too far for a state to hold
    // Of the state whose turns are tried: cells and boxes of the pieces, and the pieces at each
    // place of the whole box.
    Sweeps sweeps_;
    std::vector<std::vector<Vec>> cells_;
    std::vector<Box> boxes_;
    Vec least_{}, size_{}, stride_{};
    std::vector<Pieces> owners_;
    std::size_t next_ = 0, layer_ = 0;  // the state to expand, the end of the present layer
    int depth_ = 0;
    std::size_t last_ = 0;
    Move leaving_{};
};

// The separations of one assembly after the other.
class Disassembler {
public:
    // Sets of pieces in `together` need not be taken apart.
    Disassembler(Motions motions, Counting counting, Turning turning, std::size_t most)
        : distances_(std::move(motions)), separator_(distances_, counting, turning, most) {}

    Distances& distances() { return distances_; }

    void start(const std::vector<int>& placements, std::vector<Pieces> together);
    // Work until the deadline; returns whether this assembly is finished.
    bool run(Clock::time_point deadline);

    Outcome outcome() const { return outcome_; }
    // Each is followed by those of the rest, then by those of the removed pieces.
    const std::vector<Separation>& separations() const { return separations_; }
    Pieces locked() const { return locked_; }  // pieces that cannot be separated, if so
    std::int64_t states() const { return states_; }

private:
    struct Part {
        Pieces pieces;
        std::vector<Placed> placed;
    };

    bool begin();

    Distances distances_;
    Separator separator_;
    std::vector<Pieces> together_;
    std::vector<Part> waiting_;
    Part part_;
    bool open_ = false;
    std::vector<Separation> separations_;
    Outcome outcome_ = Outcome::kApart;
    Pieces locked_ = 0;
    std::int64_t states_ = 0;
};

}  // namespace exactile::assembly
