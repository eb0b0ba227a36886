#include "peg_count.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "peg_positions.hpp"
#include "peg_slice.hpp"

namespace exactile {

static constexpr std::uint8_t kUnmarked = 0;  // where the mark means nothing

std::size_t PegLayer::find(const Shard& shard, Position p, std::uint8_t mark,
                           std::uint64_t hash) const {
    const std::size_t last = shard.slots.size() - 1;
    std::size_t at = hash / kShards & last;
    for (; shard.slots[at] != 0; at = (at + 1) & last) {
        const std::size_t k = shard.slots[at] - 1;
        if (shard.positions[k] == p && shard.marks[k] == mark) break;
    }
    return at;
}

static std::uint64_t hash_of_state(Position p, std::uint8_t mark) {
    return hash_of(p + (std::uint64_t{mark} << 56));
}

void PegLayer::grow(Shard& shard) {
    const std::size_t before = shard.slots.size();
    const std::size_t room = before == 0 ? 8 : 2 * before;
    std::vector<std::uint32_t> slots(room);
    slots.swap(shard.slots);
    for (std::size_t k = 0; k < shard.positions.size(); ++k) {
        const std::uint64_t hash = hash_of_state(shard.positions[k], shard.marks[k]);
        shard.slots[find(shard, shard.positions[k], shard.marks[k], hash)] =
            static_cast<std::uint32_t>(k + 1);
    }
    const std::size_t state = 9 + numbers_ * shard.width * sizeof(Limb);
    bytes_ += (room - before) * (sizeof(std::uint32_t) + state * 2 / 3);
}

void PegLayer::widen(Shard& shard, std::size_t width) {
    const std::size_t count = shard.positions.size() * numbers_;
    std::vector<Limb> wider(count * width, 0);
    for (std::size_t k = 0; k < count; ++k)
        std::copy_n(&shard.numbers[k * shard.width], shard.width, &wider[k * width]);
    shard.numbers = std::move(wider);
    bytes_ += shard.slots.size() * numbers_ * (width - shard.width) * sizeof(Limb) * 2 / 3;
    shard.width = width;
}

void PegLayer::add(Position p, std::uint8_t mark, const Limb* numbers, std::size_t width,
                   std::size_t shift) {
    const std::uint64_t hash = hash_of_state(p, mark);
    Shard& shard = shards_[hash % kShards];
    if (shard.positions.size() * 3 >= shard.slots.size() * 2) grow(shard);
    if (shard.width < width) widen(shard, width);
    const std::size_t at = find(shard, p, mark, hash);
    if (shard.slots[at] == 0) {
        shard.positions.push_back(p);
        shard.marks.push_back(mark);
        shard.numbers.resize(shard.numbers.size() + numbers_ * shard.width, 0);
        shard.slots[at] = static_cast<std::uint32_t>(shard.positions.size());
        ++size_;
    }
    const std::size_t place = shard.slots[at] - 1;
    for (std::size_t k = 0; k + shift < numbers_; ++k) {
        const Limb* from = numbers + k * width;
        if (is_zero(from, width)) continue;
        const std::size_t number = place * numbers_ + k + shift;
        Limb* to = &shard.numbers[number * shard.width];
        bool carry = add_limbs(to, from, width);
        for (std::size_t w = width; carry && w < shard.width; ++w) carry = ++to[w] == 0;
        if (!carry) continue;
        widen(shard, shard.width + 1);
        shard.numbers[number * shard.width + shard.width - 1] = 1;
    }
}

PegCounter::PegCounter(PegBoard board, Position start, std::vector<Position> goals, bool by_moves,
                       std::uint64_t most_bytes)
    : board_(std::move(board)),
      goals_(std::move(goals)),
      by_moves_(by_moves),
      most_bytes_(most_bytes) {
    length_ = jumps_between(board_, start, goals_);
    for (Position& goal : goals_) goal = board_.canonical(goal);
    std::sort(goals_.begin(), goals_.end());
    numbers_ = by_moves_ ? static_cast<std::size_t>(std::max(length_, 0)) + 1 : 1;
    now_ = std::make_unique<PegLayer>(numbers_);
    next_ = std::make_unique<PegLayer>(numbers_);
    std::vector<Limb> one(numbers_, 0);  // a single sequence, of no moves
    one[0] = 1;
    now_->add(board_.canonical(start), kUnmarked, one.data(), 1, 0);  // no jump has ended anywhere
    states_ = 1;
    totals_.assign(numbers_, 0);
    if (length_ < 0) status_ = PegStatus::done;
}

void PegCounter::expand(const PegLayer::Shard& shard, std::size_t place) {
    const Position p = shard.positions[place];
    const Limb* numbers = &shard.numbers[place * numbers_ * shard.width];
    for (const Jump& jump : board_.jumps()) {
        if (!jump.allowed(p)) continue;
        Position q = jump.after(p);
        std::uint8_t mark = kUnmarked;
        if (by_moves_) {
            mark = static_cast<std::uint8_t>(jump.to);
            board_.canonical(q, mark);
        } else {
            q = board_.canonical(q);
        }
        const bool goes_on = depth_ > 0 && jump.from == shard.marks[place];
        next_->add(q, mark, numbers, shard.width, by_moves_ && !goes_on ? 1 : 0);
    }
}

// Add up the numbers of the goals.
void PegCounter::finish() {
    std::size_t width = 1;
    for (std::size_t s = 0; s < PegLayer::kShards; ++s)
        width = std::max(width, now_->shard(s).width + 1);
    totals_.assign(numbers_ * width, 0);
    std::vector<Limb> term(width);
    for (std::size_t s = 0; s < PegLayer::kShards; ++s) {
        const PegLayer::Shard& shard = now_->shard(s);
        for (std::size_t place = 0; place < shard.positions.size(); ++place) {
            if (!std::binary_search(goals_.begin(), goals_.end(), shard.positions[place])) continue;
            for (std::size_t k = 0; k < numbers_; ++k) {
                std::fill(term.begin(), term.end(), 0);
                std::copy_n(&shard.numbers[(place * numbers_ + k) * shard.width], shard.width,
                            term.begin());
                add_limbs(&totals_[k * width], term.data(), width);
            }
        }
    }
}

PegStatus PegCounter::run(double seconds) {
    return run_in_slices(status_, seconds, [this] {
        if (depth_ == length_) {
            finish();
            return PegStatus::done;
        }
        if (shard_ == PegLayer::kShards) {
            now_ = std::move(next_);
            next_ = std::make_unique<PegLayer>(numbers_);
            ++depth_;
            shard_ = place_ = 0;
            states_ += now_->size();
        } else if (PegLayer::Shard& shard = now_->shard(shard_); place_ < shard.positions.size()) {
            expand(shard, place_++);
        } else {
            shard = PegLayer::Shard();  // no longer needed
            ++shard_;
            place_ = 0;
        }
        const bool fits = now_->bytes() + next_->bytes() <= most_bytes_;
        return fits ? PegStatus::running : PegStatus::out_of_memory;
    });
}

}  // namespace exactile
