// One thread's part in counting by a front: the lists of single nodes, and what two halves make.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "front_automaton.hpp"
#include "front_lists.hpp"
#include "front_supply.hpp"
#include "front_tables.hpp"

namespace exactile {

enum class Side { forward, backward };

// What all workers look at.
struct Front {
    Supply supply{{}, {}, {}};
    std::vector<Label> labels;
    Edges out, in;
    std::vector<std::uint32_t> level;    // of each node; edges lead to higher ones
    std::vector<std::uint64_t> weight;   // of what is used before each node
    std::vector<const Class*> class_of;  // by weight; none if keys are not ranked
    std::vector<List> lists;             // of each node, from one side or the other
    std::uint32_t cut = 0;               // when the halves are joined: between them
    std::uint8_t key_bytes = 8;

    std::size_t nodes() const { return level.size(); }
    const Class* class_at(std::uint32_t node, Side side) const;
};

// Call `use` for each entry of a list, ranked in `own` if it is ranked.
void each_number(const Front& front, const Class* own, const List& list, const std::byte* data,
                 const std::function<void(Key, Limbs)>& use);

class Worker {
public:
    using Clock = std::chrono::steady_clock;

    Worker(Front& front, ListStore& store) : front_(front), store_(store) {}

    // Work on nodes of a queue, from `next` on, until there are none or it is time to stop; what is
    // begun then is gone on with later. False if there is no room for a list.
    bool make_lists(Side side, const std::vector<std::uint32_t>& queue,
                    std::atomic<std::size_t>& next, Clock::time_point deadline);
    // The same for the join: nodes behind the cut with edges from before it.
    void join(const std::vector<std::uint32_t>& queue, std::atomic<std::size_t>& next,
              Clock::time_point deadline);

    bool idle() const { return !busy_; }
    std::uint64_t operations() const { return operations_; }
    std::uint64_t entries() const { return entries_; }
    std::uint64_t bytes() const { return table_.bytes() + buffer_.capacity(); }
    const std::vector<Limb>& total() const { return total_; }

private:
    static constexpr std::uint64_t kOperationsPerCheck = 1 << 16;

    void take_up(std::uint32_t node, const Edges& edges);
    bool late(Clock::time_point deadline);
    void begin_list(Side side);
    void add_edge(Side side);
    bool finish_list();
    void begin_join();
    void join_edge();
    void add_to_total(const Limb* number, std::size_t size);

    Front& front_;
    ListStore& store_;
    Table table_;
    std::vector<std::byte> buffer_;
    bool busy_ = false;
    std::uint32_t node_ = 0;
    std::uint64_t edge_ = 0, last_edge_ = 0;
    const Edges* edges_ = nullptr;
    std::uint64_t operations_ = 0, checked_ = 0, entries_ = 0;
    std::vector<Limb> total_;
};

}  // namespace exactile
