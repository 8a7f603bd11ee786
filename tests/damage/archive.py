"""An archive in memory: its files by name, and the files that hold what."""
import os

import otf2_bytes

LIMITS = [0, 1, 2, 3, 127, 128, 254, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]


class Archive:
    """Values of `files` are bytes; ("fifo",), ("folder",), ("link", TARGET) stand for what is no plain file."""

    def __init__(self, files):
        self.files = dict(files)
        self.event_chunk, self.definition_chunk = otf2_bytes.chunk_sizes(files["traces.otf2"])

    @classmethod
    def load(cls, folder):
        files = {}
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder)] = file.read()
        return cls(files)

    def names(self, ending):
        return sorted(name for name, data in self.files.items() if name.endswith(ending) and isinstance(data, bytes))

    def chunk_of(self, name):
        return self.event_chunk if name.endswith(".evt") else self.definition_chunk

    def edit(self, name, change):
        """Calls change(numbers, records) for a file and puts together what it leaves."""
        events = name.endswith(".evt")
        numbers, records = otf2_bytes.parse(self.files[name], self.chunk_of(name), events)
        records = change(numbers, records) or records
        self.files[name] = otf2_bytes.build(numbers, records, self.chunk_of(name), events)

    def write(self, folder):
        for name, data in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if isinstance(data, bytes):
                with open(path, "wb") as file:
                    file.write(data)
            elif data[0] == "fifo":
                os.mkfifo(path)
            elif data[0] == "folder":
                os.mkdir(path)
            else:
                os.symlink(data[1], path)
