#include "front_worker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

namespace exactile {

static_assert(std::endian::native == std::endian::little, "limbs of words are read in place");

// A table by rank pays if so many times the entries that come fill it.
static constexpr std::uint64_t kRankedFill = 6;
static constexpr std::uint64_t kRankedFillOfJoin = 4;

const Class* Front::class_at(std::uint32_t node, Side side) const {
    if (class_of.empty()) return nullptr;
    return class_of[side == Side::forward ? weight[node] : supply.full_weight() - weight[node]];
}

// Call `use(counts)` with the counts of a list as 64-bit numbers, or of any size.
template <typename Use>
static void with_words(const List& list, const std::byte* data, Use use) {
    if (list.limbs == 1)
        use(Words<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(data)});
    else
        use(Words<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(data)});
}

template <typename Use>
static void with_limbs(const List& list, const std::byte* data, Use use) {
    use(LimbWords{reinterpret_cast<const Limb*>(data), list.limbs});
}

template <typename Use>
static void with_keys(const List& list, const std::byte* data, Use use) {
    const std::byte* const keys = data + list.keys_at();
    if (list.key_bytes == 4)
        use(Words<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(keys)});
    else
        use(Words<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(keys)});
}

// Call `use(key, count)` for each entry.
template <typename Counts, typename Use>
static void each_entry(const Supply& supply, const Class* own, const List& list,
                       const std::byte* data, Counts counts, Use use) {
    if (list.ranked)
        each_ranked(supply, *own, counts, use);
    else
        with_keys(list, data, [&](auto keys) {
            for (std::uint64_t k = 0; k < list.size; ++k) use(static_cast<Key>(keys[k]), counts[k]);
        });
}

// Send the entries of a list to a sink.
template <typename Counts, typename Sink>
static void pass(const Passage& way, const List& list, const std::byte* data, Counts counts,
                 Sink& sink) {
    if (list.ranked && way.to != nullptr) {
        pass_ranked(way, counts, sink);
    } else if (list.ranked) {
        each_ranked(way.supply, *way.from, counts, [&](Key key, auto count) {
            if (way.label.fits(key)) sink.keyed(key + way.label.add, count);
        });
    } else {
        with_keys(list, data, [&](auto keys) { pass_keyed(way, list.size, keys, counts, sink); });
    }
}

void each_number(const Front& front, const Class* own, const List& list, const std::byte* data,
                 const std::function<void(Key, Limbs)>& use) {
    if (list.size == 0) return;
    with_limbs(list, data,
               [&](LimbWords counts) { each_entry(front.supply, own, list, data, counts, use); });
}

static std::uint32_t bits_of(Limbs number) {
    for (std::size_t k = number.size; k-- > 0;)
        if (number.at[k] != 0)
            return static_cast<std::uint32_t>(32 * k) +
                   static_cast<std::uint32_t>(std::bit_width(number.at[k]));
    return 0;
}

static std::uint32_t bits_of_count(std::uint64_t n) {
    return static_cast<std::uint32_t>(std::bit_width(n));
}

bool Worker::late(Clock::time_point deadline) {
    if (operations_ < checked_ + kOperationsPerCheck) return false;
    checked_ = operations_;
    return Clock::now() >= deadline;
}

void Worker::take_up(std::uint32_t node, const Edges& edges) {
    busy_ = true;
    node_ = node;
    edges_ = &edges;
    edge_ = edges.first[node];
    last_edge_ = edges.first[node + 1];
    operations_ += 16;  // so that the clock is read among many nodes without entries
}

bool Worker::make_lists(Side side, const std::vector<std::uint32_t>& queue,
                        std::atomic<std::size_t>& next, Clock::time_point deadline) {
    const Edges& edges = side == Side::forward ? front_.in : front_.out;
    while (!late(deadline)) {
        if (!busy_) {
            const std::size_t at = next++;
            if (at >= queue.size()) return true;
            if (front_.lists[queue[at]].made) continue;
            take_up(queue[at], edges);
            begin_list(side);
        }
        for (; edge_ < last_edge_; ++edge_) {
            if (late(deadline)) return true;
            add_edge(side);
        }
        if (!finish_list()) return false;
        busy_ = false;
    }
    return true;
}

// No number of the list has more bits than the largest that come, and those of how many there are.
void Worker::begin_list(Side side) {
    std::uint64_t entries = 0;
    std::uint32_t bits = 0;
    for (std::uint64_t e = edge_; e < last_edge_; ++e) {
        const List& list = front_.lists[edges_->node[e]];
        entries += list.size;
        bits = std::max(bits, list.bits);
    }
    bits += bits_of_count(last_edge_ - edge_);
    const Class* const target = front_.class_at(node_, side);
    const bool by_rank = target != nullptr && entries * kRankedFill >= target->size;
    table_.clear(by_rank ? target : nullptr, std::min<std::uint64_t>(entries, 2048), bits <= 64,
                 (bits + 31) / 32);
}

void Worker::add_edge(Side side) {
    const std::uint32_t other = edges_->node[edge_];
    const List& list = front_.lists[other];
    if (list.size == 0) return;
    const std::byte* const data = store_.read(list, buffer_);
    const Passage way{front_.supply, front_.class_at(other, side), table_.ranked,
                      front_.labels[edges_->label[edge_]]};
    if (table_.narrow)
        with_words(list, data, [&](auto counts) {
            AddWords sink{table_};
            pass(way, list, data, counts, sink);
        });
    else
        with_limbs(list, data, [&](LimbWords counts) {
            AddLimbs sink{table_};
            pass(way, list, data, counts, sink);
        });
    operations_ += list.size;
}

// Turn the table into a list: ranked if that takes less room.
bool Worker::finish_list() {
    List& list = front_.lists[node_];
    const std::uint64_t places = table_.size();
    const auto number = [&](std::uint64_t k) {
        return Limbs{&table_.limbs[k * table_.width], table_.width};
    };
    std::uint64_t entries = 0;
    if (table_.narrow) {
        std::uint64_t all = 0;
        for (const std::uint64_t word : table_.words) {
            entries += word != 0;
            all |= word;
        }
        list.bits = bits_of_count(all);
    } else {
        for (std::uint64_t k = 0; k < places; ++k) {
            const std::uint32_t bits = bits_of(number(k));
            entries += bits != 0;
            list.bits = std::max(list.bits, bits);
        }
    }
    entries_ += entries;
    if (entries == 0) {
        list.made = true;
        return true;
    }
    list.limbs = (list.bits + 31) / 32;
    list.key_bytes = front_.key_bytes;
    list.ranked = table_.ranked != nullptr;
    list.size = places;
    const std::uint64_t with_ranks = list.bytes();
    list.ranked = false;
    list.size = entries;
    if (table_.ranked != nullptr && with_ranks <= list.bytes()) {
        list.ranked = true;
        list.size = places;
    }
    std::unique_ptr<std::byte[]> data(new std::byte[list.bytes()]);
    std::uint64_t at = 0;
    const auto write = [&](std::uint64_t place) {
        std::byte* const to = data.get() + at * 4 * list.limbs;
        if (table_.narrow)
            std::memcpy(to, &table_.words[place], 4 * list.limbs);  // the low limbs come first
        else
            std::memcpy(to, number(place).at, 4 * list.limbs);
        ++at;
    };
    const auto write_key = [&](Key key) {
        std::memcpy(data.get() + list.keys_at() + at * list.key_bytes, &key, list.key_bytes);
    };
    if (list.ranked) {
        for (std::uint64_t k = 0; k < places; ++k) write(k);
    } else if (table_.ranked != nullptr) {
        for (const Class::Run& run : table_.ranked->runs) {
            const std::vector<std::uint32_t>& lows = front_.supply.low_values(run.low);
            for (std::size_t k = 0; k < lows.size(); ++k) {
                const std::uint64_t place = run.offset + k;
                if (table_.narrow ? table_.words[place] == 0 : bits_of(number(place)) == 0)
                    continue;
                write_key(front_.supply.join(run.high, lows[k]));
                write(place);
            }
        }
    } else {
        for (std::uint64_t k = 0; k < places; ++k) {
            write_key(table_.keys.keys()[k]);
            write(k);
        }
    }
    return store_.keep(list, std::move(data));
}

void Worker::join(const std::vector<std::uint32_t>& queue, std::atomic<std::size_t>& next,
                  Clock::time_point deadline) {
    while (!late(deadline)) {
        if (!busy_) {
            const std::size_t at = next++;
            if (at >= queue.size()) return;
            take_up(queue[at], front_.in);
            begin_join();
        }
        for (; edge_ < last_edge_; ++edge_) {
            if (late(deadline)) return;
            join_edge();
        }
        busy_ = false;
    }
}

// A table of the numbers behind a node, by what must have been used before it.
void Worker::begin_join() {
    const List& mine = front_.lists[node_];
    std::uint64_t entries = 0;
    std::uint32_t bits = 0;
    bool words = mine.limbs <= 2;
    for (std::uint64_t e = edge_; e < last_edge_; ++e) {
        if (front_.level[edges_->node[e]] >= front_.cut) continue;
        const List& list = front_.lists[edges_->node[e]];
        entries += list.size;
        bits = std::max(bits, list.bits + bits_of_count(list.size));
        words = words && list.limbs <= 2;
    }
    if (mine.size == 0 || entries == 0) {
        edge_ = last_edge_;
        return;
    }
    const Class* const target = front_.class_at(node_, Side::forward);
    const bool by_rank =
        target != nullptr && (entries + mine.size) * kRankedFillOfJoin >= target->size;
    const bool narrow = words && mine.bits + bits <= 128;
    table_.clear(by_rank ? target : nullptr, mine.size, narrow, mine.limbs);
    const std::byte* const data = store_.read(mine, buffer_);
    const Class* const own = front_.class_at(node_, Side::backward);
    const Key full = front_.supply.full();
    if (narrow)
        with_words(mine, data, [&](auto counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, std::uint64_t count) {
                table_.words[table_.place(front_.supply, full - key)] = count;
            });
        });
    else
        with_limbs(mine, data, [&](LimbWords counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, Limbs count) {
                const std::uint64_t place = table_.place(front_.supply, full - key);
                std::copy_n(count.at, count.size, &table_.limbs[place * table_.width]);
            });
        });
    operations_ += mine.size;
}

void Worker::join_edge() {
    const std::uint32_t other = edges_->node[edge_];
    const List& list = front_.lists[other];
    if (front_.level[other] >= front_.cut || list.size == 0) return;
    const std::byte* const data = store_.read(list, buffer_);
    const Passage way{front_.supply, front_.class_at(other, Side::forward), table_.ranked,
                      front_.labels[edges_->label[edge_]]};
    if (table_.narrow) {
        with_words(list, data, [&](auto counts) {
            MultiplyWords sink{table_};
            pass(way, list, data, counts, sink);
            Limb sum[4];
            for (int k = 0; k < 4; ++k) sum[k] = static_cast<Limb>(sink.sum >> 32 * k);
            add_to_total(sum, 4);
        });
    } else {
        with_limbs(list, data, [&](LimbWords counts) {
            MultiplyLimbs sink{table_, std::vector<Limb>(table_.width + list.limbs + 2)};
            pass(way, list, data, counts, sink);
            add_to_total(sink.sum.data(), sink.sum.size());
        });
    }
    operations_ += list.size;
}

void Worker::add_to_total(const Limb* number, std::size_t size) {
    if (total_.size() < size + 1) total_.resize(size + 1);
    add_number(total_.data(), total_.size(), {number, size});
    if (total_.back() != 0) total_.push_back(0);
}

}  // namespace exactile
