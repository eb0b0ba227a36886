// Counts sequences of jumps without listing them: a memo on positions, layer by layer.
//
// Every jump takes one peg away, so the positions after t jumps are a layer of their own, and two
// layers are kept at a time. Each position carries the number of sequences that lead to it.
// Positions that a symmetry makes equal are one. To count sequences by moves, the hole of the
// last jump belongs to the state, and there is a number for each number of moves.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "limbs.hpp"
#include "peg_board.hpp"

namespace exactile {

// The states after some jumps, with their numbers. They are in shards: no single growth of a table
// takes long, and the numbers of one shard can become wider alone.
class PegLayer {
public:
    static constexpr std::size_t kShards = 1024;

    struct Shard {
        std::vector<Position> positions;
        std::vector<std::uint8_t> marks;   // the hole of the last jump, if moves are distinguished
        std::vector<Limb> numbers;         // `width` limbs each
        std::vector<std::uint32_t> slots;  // place + 1, or 0
        std::size_t width = 1;
    };

    explicit PegLayer(std::size_t numbers) : numbers_(numbers) {}

    Shard& shard(std::size_t s) { return shards_[s]; }
    // Add numbers of a state in another layer to those of a state, from its number `shift` on.
    void add(Position p, std::uint8_t mark, const Limb* numbers, std::size_t width,
             std::size_t shift);

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t find(const Shard& shard, Position p, std::uint8_t mark, std::uint64_t hash) const;
    void grow(Shard& shard);
    void widen(Shard& shard, std::size_t width);

    std::size_t numbers_;  // of each state
    std::vector<Shard> shards_{kShards};
    std::size_t size_ = 0, bytes_ = 0;
};

class PegCounter {
public:
    // Counts from `start` to any of the goals, which have equally many pegs. The symmetries of the
    // board must carry goals to goals.
    PegCounter(PegBoard board, Position start, std::vector<Position> goals, bool by_moves,
               std::uint64_t most_bytes);

    // Work on for `seconds` or to the end.
    PegStatus run(double seconds);

    // When done: the numbers of sequences of 0, 1, 2 ... moves, or the number of all.
    const std::vector<Limb>& totals() const { return totals_; }
    std::size_t numbers() const { return numbers_; }
    // States so far.
    std::uint64_t states() const { return states_; }
    // Jumps made so far, and jumps in each sequence.
    int depth() const { return depth_; }
    int length() const { return length_; }

private:
    void expand(const PegLayer::Shard& shard, std::size_t place);
    void finish();

    PegBoard board_;
    std::vector<Position> goals_;  // canonical, sorted
    bool by_moves_;
    std::uint64_t most_bytes_;
    PegStatus status_ = PegStatus::running;
    int length_, depth_ = 0;
    std::size_t numbers_;
    std::unique_ptr<PegLayer> now_, next_;
    std::size_t shard_ = 0, place_ = 0;  // what is expanded next
    std::uint64_t states_ = 0;
    std::vector<Limb> totals_;
};

}  // namespace exactile
