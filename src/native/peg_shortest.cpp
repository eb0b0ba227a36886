#include "peg_shortest.hpp"

#include <utility>

#include "peg_slice.hpp"

namespace exactile {

PegShortest::PegShortest(PegBoard board, Position start, std::vector<Position> goals,
                         bool both_ends, std::uint64_t most_bytes)
    : board_(std::move(board)),
      most_bytes_(most_bytes),
      both_ends_(both_ends),
      sides_{Side{MoveWalk(board_, false)}, Side{MoveWalk(board_, true)}} {
    const int length = jumps_between(board_, start, goals);
    start_pegs_ = std::popcount(start);
    goal_pegs_ = std::popcount(goals[0]);
    sides_[0].set->insert(board_.canonical(start));
    for (const Position goal : goals) sides_[1].set->insert(board_.canonical(goal));
    for (Side& side : sides_) side.set->end_level();
    if (length < 0) {
        status_ = PegStatus::done;
    } else if (sides_[1].set->level_of(board_.canonical(start)) == 0) {
        moves_ = 0;
        useful_.push_back(std::make_unique<PositionSet>());
        useful_[0]->insert(board_.canonical(start));
        useful_[0]->end_level();
        status_ = PegStatus::done;
    } else {
        begin_level(0, *sides_[0].set, 0);
    }
}

void PegShortest::begin_level(std::size_t side, const PositionSet& set, std::size_t level) {
    side_ = side;
    source_ = &set;
    level_ = level;
    shard_ = place_ = 0;
    place_ = set.begin(level, 0);
    sides_[side].walk.begin(1, 0);  // nothing to walk through yet
}

// Let the walk begin at the next position of the level; false if there is none.
bool PegShortest::next_position() {
    while (place_ == source_->end(level_, shard_)) {
        if (++shard_ == PositionSet::kShards) return false;
        place_ = source_->begin(level_, shard_);
    }
    const Position p = source_->at(shard_, place_++);
    const int pegs = std::popcount(p);
    sides_[side_].walk.begin(p, side_ == 0 ? pegs - goal_pegs_ : start_pegs_ - pegs);
    return true;
}

std::size_t PegShortest::bytes() const {
    std::size_t sum = sides_[0].set->bytes() + sides_[1].set->bytes();
    for (const auto& set : useful_)
        if (set) sum += set->bytes();
    return sum;
}

// One step of the search: the next position after a move, or the next one to move from.
PegStatus PegShortest::search() {
    Side& side = sides_[side_];
    Position q;
    if (side.walk.next(q)) {
        ++nodes_;
        q = board_.canonical(q);
        if (side.set->insert(q) && sides_[1 - side_].set->level_of(q) != PositionSet::kNowhere) {
            if (!met_) met_ = std::make_unique<PositionSet>();
            met_->insert(q);
        }
        return bytes() <= most_bytes_ ? PegStatus::running : PegStatus::out_of_memory;
    }
    if (next_position()) return PegStatus::running;
    side.set->end_level();
    return choose_side();
}

// A level is complete: have the ends met, and which one goes on?
PegStatus PegShortest::choose_side() {
    const std::size_t last[2] = {sides_[0].set->levels() - 1, sides_[1].set->levels() - 1};
    if (met_) {
        moves_ = static_cast<int>(last[0] + last[1]);
        met_->end_level();
        useful_.resize(last[0] + last[1] + 1);
        picked_ = last[1];
        useful_[picked_] = std::move(met_);
        useful_[picked_ + 1] = std::make_unique<PositionSet>();
        begin_level(1, *useful_[picked_], 0);
        return PegStatus::running;
    }
    const std::size_t sizes[2] = {sides_[0].set->level_size(last[0]),
                                  sides_[1].set->level_size(last[1])};
    if (sizes[0] == 0 || sizes[1] == 0) return PegStatus::done;  // all has been searched
    const std::size_t next = both_ends_ && sizes[1] < sizes[0] ? 1 : 0;
    begin_level(next, *sides_[next].set, last[next]);
    return PegStatus::running;
}

// One step of picking out positions: first towards the start, then towards the goals.
PegStatus PegShortest::pick_out() {
    const bool to_start = side_ == 1;
    const std::size_t met = sides_[1].set->levels() - 1;
    const std::size_t target = to_start ? picked_ + 1 : picked_ - 1;
    const auto moves = static_cast<std::size_t>(moves_);
    Position q;
    if (sides_[side_].walk.next(q)) {
        ++nodes_;
        q = board_.canonical(q);
        const std::size_t wanted = to_start ? moves - target : target;
        if (sides_[to_start ? 0 : 1].set->level_of(q) == wanted) useful_[target]->insert(q);
        return bytes() <= most_bytes_ ? PegStatus::running : PegStatus::out_of_memory;
    }
    if (next_position()) return PegStatus::running;
    useful_[target]->end_level();
    const bool at_end = target == (to_start ? moves : 0);
    if (at_end && (!to_start || met == 0)) return PegStatus::done;
    const std::size_t side = to_start && !at_end ? 1 : 0;
    picked_ = at_end ? met : target;
    useful_[side == 1 ? picked_ + 1 : picked_ - 1] = std::make_unique<PositionSet>();
    begin_level(side, *useful_[picked_], 0);
    return PegStatus::running;
}

PegStatus PegShortest::run(double seconds) {
    return run_in_slices(status_, seconds, [this] { return moves_ < 0 ? search() : pick_out(); });
}

std::vector<Position> PegShortest::useful(std::size_t moves_left) const {
    std::vector<Position> result;
    const PositionSet& set = *useful_.at(moves_left);
    for (std::size_t s = 0; s < PositionSet::kShards; ++s)
        for (std::size_t k = 0; k < set.end(0, s); ++k) result.push_back(set.at(s, k));
    return result;
}

}  // namespace exactile
