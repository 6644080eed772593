-- A history of layout 1, as the first program that kept one wrote it. Never changed: files like it are out there.
-- One row: what identities are salted with. Never exported.
CREATE TABLE salt (salt BLOB NOT NULL) STRICT;
INSERT INTO salt VALUES (randomblob(32));

CREATE TABLE agents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card_url TEXT NOT NULL,
    source TEXT NOT NULL,
    -- Header names, one a line; empty for a card that was got without credentials.
    asked_names TEXT NOT NULL,
    asked_digest INTEGER NOT NULL,
    address TEXT NOT NULL,
    title TEXT NOT NULL,
    last_checked INTEGER NOT NULL,
    next_number INTEGER NOT NULL DEFAULT 1,
    -- The version that came last; no foreign key, so that deleting versions need not search all agents.
    latest INTEGER,
    UNIQUE (card_url, asked_names, asked_digest)
) STRICT;
CREATE INDEX agents_by_check ON agents (last_checked DESC, id DESC);
CREATE INDEX agents_by_address ON agents (address);

-- What is searched, in lower case; apart from the agents, so that a search reads nothing else.
CREATE TABLE agent_words (
    agent INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    words TEXT NOT NULL
) STRICT;

-- Each distinct document once, byte for byte.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    bytes_len INTEGER NOT NULL,
    -- Digest of what the document says but for muted members.
    meaning TEXT NOT NULL,
    title TEXT NOT NULL,
    agent_version TEXT,
    shape TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    level TEXT,
    UNIQUE (agent, number),
    UNIQUE (agent, sha256)
) STRICT;
CREATE INDEX versions_by_sight ON versions (agent, last_seen DESC, number DESC);
CREATE INDEX versions_by_meaning ON versions (agent, meaning, number);
CREATE INDEX versions_by_document ON versions (sha256);

CREATE TABLE retrievals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version INTEGER REFERENCES versions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    requested_url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    status INTEGER,
    content_type TEXT,
    etag TEXT,
    last_modified TEXT,
    cache_control TEXT,
    age TEXT,
    expires TEXT,
    date TEXT,
    vary TEXT,
    pragma TEXT,
    legacy_path INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    verdict TEXT NOT NULL,
    -- A JSON list.
    attempts TEXT NOT NULL,
    not_modified INTEGER NOT NULL
) STRICT;
CREATE INDEX retrievals_by_agent ON retrievals (agent, at DESC, id DESC);
CREATE INDEX retrievals_by_version ON retrievals (version, at DESC, id DESC);

UPDATE salt SET salt = x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
INSERT INTO agents (id, card_url, source, asked_names, asked_digest, address, title, last_checked, next_number, latest)
VALUES (7, 'https://quotes.example/.well-known/agent-card.json', 'url', '', 0, 'quotes.example', 'Quotes', 1796000002000, 3, 4),
       (8, 'https://keyed.example/card.json', 'url', 'authorization
x-api-key', 4294967295, 'keyed.example', 'Keyed', 1796000001000, 2, 5);
INSERT INTO agent_words VALUES (7, 'quotes
https://quotes.example/.well-known/agent-card.json
quotes.example
compare'), (8, 'keyed');
INSERT INTO documents (sha256, bytes)
VALUES ('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', x'7b7d'),
       ('d40ce0bc4c274858267e5dd0d3bbf4fefb4769c467dceea5c7f7a161bb12c1b3', x'7b227b7d');
INSERT INTO versions (id, agent, number, sha256, bytes_len, meaning, title, agent_version, shape, first_seen, last_seen, level)
VALUES (3, 7, 1, 'd40ce0bc4c274858267e5dd0d3bbf4fefb4769c467dceea5c7f7a161bb12c1b3', 4, 'm1', 'Quotes', '1', '0.3', 1796000000000, 1796000000000, NULL),
       (4, 7, 2, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 2, 'm2', 'Quotes', NULL, 'notACard', 1796000001000, 1796000002000, 'breaking'),
       (5, 8, 1, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 2, 'm2', 'Keyed', NULL, 'notACard', 1796000001000, 1796000001000, NULL);
INSERT INTO retrievals (agent, version, at, requested_url, final_url, status, content_type, etag, cache_control, legacy_path, outcome, verdict, attempts, not_modified)
VALUES (7, 3, 1796000000000, 'https://quotes.example/', 'https://quotes.example/', 200, 'application/json', '"k1"', 'max-age=300', 1, 'card', 'Found.', '[]', 0),
       (7, 4, 1796000002000, 'https://quotes.example/', 'https://quotes.example/', 304, NULL, NULL, NULL, 0, 'card', 'Unchanged.',
        '[{"url":"https://quotes.example/","outcome":"card","status":304,"note":"n"}]', 1);
PRAGMA user_version = 1;
