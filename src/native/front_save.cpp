// The lists of a frontier in a file: a tag, how far the count is, the lists, a checksum.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "front_count.hpp"

namespace exactile {

static constexpr char kMagic[] = "exactile front 2\n";

namespace {

// A file that is read or written from beginning to end; all that passes is in the checksum.
class Stream {
public:
    Stream(const std::string& path, const char* mode)
        : path_(path), file_(std::fopen(path.c_str(), mode), &std::fclose) {
        if (!file_) complain();
    }
    void write(const void* data, std::size_t size) {
        if (std::fwrite(data, 1, size, file_.get()) != size) complain();
        add(data, size);
    }
    void read(void* data, std::size_t size) {
        if (std::fread(data, 1, size, file_.get()) != size)
            throw std::invalid_argument("the file ends too early");
        add(data, size);
    }
    // Bytes of the file that are not read yet.
    std::uint64_t left() {
        const long here = std::ftell(file_.get());
        if (here < 0 || std::fseek(file_.get(), 0, SEEK_END) != 0) complain();
        const long end = std::ftell(file_.get());
        if (end < here || std::fseek(file_.get(), here, SEEK_SET) != 0) complain();
        return static_cast<std::uint64_t>(end - here);
    }
    void put(std::uint64_t number) { write(&number, sizeof number); }
    std::uint64_t get() {
        std::uint64_t number = 0;
        read(&number, sizeof number);
        return number;
    }
    std::uint64_t sum() const { return sum_; }
    void close() {
        if (std::fclose(file_.release()) != 0) complain();
    }

private:
    [[noreturn]] void complain() const { throw ScratchError(path_ + ": " + std::strerror(errno)); }
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        while (size > 0) {
            std::uint64_t word = 0;
            const std::size_t part = std::min(size, sizeof word);
            std::memcpy(&word, bytes, part);
            sum_ = (sum_ ^ word) * 0xbf58476d1ce4e5b9;
            sum_ ^= sum_ >> 29;
            bytes += part;
            size -= part;
        }
    }

    std::string path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uint64_t sum_ = 0;
};

}  // namespace

void FrontCounter::save(const std::string& path, const std::string& tag) const {
    if (status_ != Status::counting) throw std::logic_error("there are no lists to be saved");
    Stream out(path, "wb");
    out.write(kMagic, sizeof kMagic);
    out.put(tag.size());
    out.write(tag.data(), tag.size());
    out.put(forward_);
    out.put(backward_);
    out.put(static_cast<std::uint64_t>(task_ == Task::join ? Task::nothing : task_));
    std::uint64_t count = 0;
    for (const std::vector<List>& lists : front_->lists)
        for (const List& list : lists) count += list.size > 0;
    out.put(count);
    std::vector<std::byte> buffer;
    for (const Side side : {Side::forward, Side::backward})
        for (std::uint32_t u = 0; u < front_->nodes(); ++u) {
            const List& list = front_->list(side, u);
            if (list.size == 0) continue;
            out.put(u);
            out.put(static_cast<std::uint64_t>(side));
            out.put(list.size);
            out.put(list.bits);
            out.put(list.ranked);
            out.write(store_->read(list, buffer), list.bytes());
        }
    out.put(out.sum());
    out.close();
}

void FrontCounter::load(const std::string& path, const std::string& tag) {
    if (status_ != Status::counting) throw std::logic_error("the automaton is not built");
    try {
        read_lists(path, tag);
    } catch (...) {
        forget_lists();
        make_ends();
        throw;
    }
}

void FrontCounter::forget_lists() {
    for (std::vector<List>& lists : front_->lists)
        for (List& list : lists) {
            if (list.size > 0) store_->drop(list);
            list = List();
        }
    for (auto& worker : workers_) worker = std::make_unique<Worker>(*front_, *store_);
    task_ = Task::nothing;
    forward_ = 1;
    cost_done_ = 0;
}

void FrontCounter::read_lists(const std::string& path, const std::string& tag) {
    Stream in(path, "rb");
    char magic[sizeof kMagic];
    in.read(magic, sizeof magic);
    std::string own;
    if (std::memcmp(magic, kMagic, sizeof magic) == 0 && in.get() == tag.size()) {
        own.resize(tag.size());
        in.read(own.data(), own.size());
    }
    if (own != tag) throw std::invalid_argument("the file belongs to another count");
    forget_lists();
    const std::uint64_t forward = in.get(), backward = in.get(), task = in.get();
    if (forward > backward || backward > levels_.size() ||
        task > static_cast<std::uint64_t>(Task::nothing))
        throw std::invalid_argument("the file is damaged");
    forward_bytes_ = backward_bytes_ = 0;
    const std::uint64_t size = in.left();
    for (std::uint64_t count = in.get(); count > 0; --count) {
        const std::uint64_t node = in.get(), side = in.get();
        List list;
        list.key_bytes = front_->key_bytes;
        list.size = in.get();
        list.bits = static_cast<std::uint32_t>(in.get());
        list.limbs = (list.bits + 31) / 32;
        list.ranked = in.get() != 0;
        if (node >= front_->nodes() || side > 1 || list.size > size || list.bits > size ||
            list.bits == 0 || list.bytes() > size)
            throw std::invalid_argument("the file is damaged");
        std::unique_ptr<std::byte[]> data(new std::byte[list.bytes()]);
        in.read(data.get(), list.bytes());
        (side == 0 ? forward_bytes_ : backward_bytes_) += list.bytes();
        if (!store_->keep(list, std::move(data))) {
            status_ = Status::out_of_memory;
            return;
        }
        front_->lists[side][node] = std::move(list);
    }
    const std::uint64_t sum = in.sum();
    if (in.get() != sum) throw std::invalid_argument("the file is damaged");
    forward_ = static_cast<std::uint32_t>(forward);
    backward_ = static_cast<std::uint32_t>(backward);
    cost_done_ = 0;
    for (std::uint32_t l = 0; l < levels_.size(); ++l)
        if (l < forward_ || l >= backward_) cost_done_ += cost_[l];
    task_ = static_cast<Task>(task);
    if (task_ != Task::nothing) begin_lists(task_);
}

}  // namespace exactile
