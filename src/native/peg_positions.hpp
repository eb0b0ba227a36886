// Sets of positions that remember the order of arrival, so that each level of a search is a range.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "peg_board.hpp"

namespace exactile {

inline std::uint64_t hash_of(Position p) {
    std::uint64_t h = p * 0x9e3779b97f4a7c15;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 32) * 0x94d049bb133111eb;
    return h ^ h >> 29;
}

// In shards, so that no single growth takes long.
class PositionSet {
public:
    static constexpr std::size_t kShards = 1024;
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    // Whether the position is new.
    bool insert(Position p) {
        const std::uint64_t hash = hash_of(p);
        Shard& shard = shards_[hash % kShards];
        if (shard.positions.size() * 3 >= shard.slots.size() * 2) grow(shard);
        const std::size_t at = find(shard, p, hash);
        if (shard.slots[at] != 0) return false;
        shard.positions.push_back(p);
        shard.slots[at] = static_cast<std::uint32_t>(shard.positions.size());
        ++size_;
        return true;
    }

    // End the present level: what is inserted from now on belongs to the next one.
    void end_level() {
        std::vector<std::uint32_t>& ends = ends_.emplace_back(kShards);
        for (std::size_t s = 0; s < kShards; ++s)
            ends[s] = static_cast<std::uint32_t>(shards_[s].positions.size());
    }

    // The number of the level that a position belongs to, kNowhere if it is not there.
    std::size_t level_of(Position p) const {
        const std::uint64_t hash = hash_of(p);
        const std::size_t s = hash % kShards;
        const Shard& shard = shards_[s];
        if (shard.slots.empty()) return kNowhere;
        const std::uint32_t slot = shard.slots[find(shard, p, hash)];
        if (slot == 0) return kNowhere;
        std::size_t level = 0;
        while (level < ends_.size() && slot > ends_[level][s]) ++level;
        return level;
    }

    // The positions of a shard that belong to an ended level are those from begin to end.
    std::size_t begin(std::size_t level, std::size_t shard) const {
        return level == 0 ? 0 : ends_[level - 1][shard];
    }
    std::size_t end(std::size_t level, std::size_t shard) const { return ends_[level][shard]; }
    Position at(std::size_t shard, std::size_t k) const { return shards_[shard].positions[k]; }
    std::size_t level_size(std::size_t level) const {
        std::size_t sum = 0;
        for (std::size_t s = 0; s < kShards; ++s) sum += end(level, s) - begin(level, s);
        return sum;
    }

    std::size_t levels() const { return ends_.size(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bytes_; }

private:
    struct Shard {
        std::vector<Position> positions;
        std::vector<std::uint32_t> slots;  // place + 1, or 0
    };

    static std::size_t find(const Shard& shard, Position p, std::uint64_t hash) {
        const std::size_t last = shard.slots.size() - 1;
        std::size_t at = hash / kShards & last;
        while (shard.slots[at] != 0 && shard.positions[shard.slots[at] - 1] != p)
            at = (at + 1) & last;
        return at;
    }

    void grow(Shard& shard) {
        const std::size_t before = shard.slots.size();
        const std::size_t room = before == 0 ? 8 : 2 * before;
        std::vector<std::uint32_t> slots(room);
        shard.positions.reserve(room * 2 / 3 + 1);
        slots.swap(shard.slots);
        for (std::size_t k = 0; k < shard.positions.size(); ++k) {
            const std::uint64_t hash = hash_of(shard.positions[k]);
            shard.slots[find(shard, shard.positions[k], hash)] = static_cast<std::uint32_t>(k + 1);
        }
        bytes_ += (room - before) * (sizeof(std::uint32_t) + sizeof(Position) * 2 / 3);
    }

    std::array<Shard, kShards> shards_;
    std::vector<std::vector<std::uint32_t>> ends_;  // of each level, by shard
    std::size_t size_ = 0, bytes_ = 0;
};

}  // namespace exactile
