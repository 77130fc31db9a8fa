import type { DatabaseSync } from 'node:sqlite'

/** Makes all tables in an empty file, as they are, in the open transaction. @param appId of the list. */
export function makeTables(db: DatabaseSync, appId: string): void {
  db.exec(tables)
  db.prepare('INSERT INTO product (appId) VALUES (?)').run(appId)
}

/** The quarter of an hour since 1970 of a time as it is kept, in SQL; the row itself may say anything. */
const quarterOf = (time: string) => `coalesce(unixepoch(${time}) / 900, 0)`

const count = (kind: string, quarter: string, number: number | string) => `
  INSERT INTO counts (kind, quarter, number) VALUES (${kind}, ${quarter}, ${number})
  ON CONFLICT DO UPDATE SET number = number + excluded.number;`

const countDocument = (row: string, number: number) =>
  count(
    `iif(${row}.signedUpAt = '', 'imported', 'signUps')`,
    `iif(${row}.signedUpAt = '', 0, ${quarterOf(`coalesce(${row}.signedUpAt, ${row}.data ->> 'subscribedAt')`)})`,
    number,
  )

const countStanding = (row: string, number: number) =>
  count(`${row}.standing`, `iif(${row}.isImported, 0, ${quarterOf(`${row}.at`)})`, number)

const isToConfirm = (row: string) =>
  `${row}.data ->> 'confirmedAt' IS NULL AND ${row}.data ->> 'listedAt' IS NULL`

const hasConsent = (row: string) => `${row}.fields ->> '$.consent' IS NOT NULL`

/** Who brought somebody, as a search that uses the indexes has to say it. */
export const broughtBy = {
  pending: `iif(json_valid(data), data ->> 'broughtBy', NULL)`,
  extras: `iif(json_valid(fields), fields ->> '$.referral.by', NULL)`,
}

const tables = `
-- The list: the specification's records at their path.
CREATE TABLE documents (
  path TEXT AS (collection || '/' || id) VIRTUAL,
  collection TEXT NOT NULL,
  id INTEGER PRIMARY KEY,
  data TEXT NOT NULL,
  -- When somebody signed up at the page, where that is not the time of the record: empty for those
  -- who never did.
  signedUpAt TEXT,
  -- When somebody was taken in from Firestore, which may be long after the sign-up.
  takenInAt TEXT
) STRICT;
CREATE UNIQUE INDEX "one document an address" ON documents (data ->> 'email');
CREATE INDEX "sign-ups in order" ON documents (data ->> 'subscribedAt', id);
CREATE INDEX "imported in order" ON documents (data ->> 'subscribedAt', signedUpAt)
  WHERE signedUpAt IS NOT NULL;
CREATE INDEX "imported who signed up" ON documents (signedUpAt) WHERE signedUpAt IS NOT NULL;
CREATE INDEX "taken in" ON documents (takenInAt, data ->> 'subscribedAt')
  WHERE takenInAt IS NOT NULL;
CREATE VIEW subscribers AS
  SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt, path
  FROM documents ORDER BY id;

-- Whose list it is, and with which link.key its addresses are hashed.
CREATE TABLE product (appId TEXT NOT NULL) STRICT;
CREATE TABLE boundTo (fingerprint TEXT NOT NULL) STRICT;
CREATE TABLE commits (number INTEGER NOT NULL) STRICT;
INSERT INTO commits (number) VALUES (0);

CREATE TABLE standings (
  addressId TEXT PRIMARY KEY, standing TEXT NOT NULL, at TEXT NOT NULL, detail TEXT,
  -- Whether the address is on the list. It is not known of an id that came without its address.
  listed INTEGER,
  -- Whether an import quarantined it: it was never one of the page's sign-ups.
  isImported INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX "standings of nobody knows whom" ON standings (addressId) WHERE listed IS NULL;
-- What else is known of an address: JSON.
CREATE TABLE extras (addressId TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX "the brought" ON extras (${broughtBy.extras}) WHERE ${broughtBy.extras} IS NOT NULL;
CREATE TABLE sources (
  addressId TEXT PRIMARY KEY, at TEXT NOT NULL, source TEXT, medium TEXT, campaign TEXT
) STRICT, WITHOUT ROWID;
-- Sources are counted in the order of this, without a look at each row.
CREATE INDEX "sources by name" ON sources (source, medium, campaign, at);

-- A row for each time that somebody left an address, until its letter is done with.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, askedAt TEXT NOT NULL,
  shown TEXT NOT NULL, isCrowd INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
  dueAt TEXT NOT NULL, suspicion TEXT, source TEXT,
  -- The keyed hash of a network, and the name of the brake that a row waits for.
  network TEXT, waitsFor TEXT,
  broughtBy TEXT
) STRICT;
CREATE INDEX "what leaves next" ON outbox (isCrowd, dueAt);
CREATE INDEX "what waits" ON outbox (waitsFor) WHERE waitsFor IS NOT NULL;
CREATE INDEX "requests of the brought" ON outbox (broughtBy) WHERE broughtBy IS NOT NULL;
-- Letters that were asked for by then wait for that no more: the operator released them.
CREATE TABLE released (waitsFor TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Who has yet to confirm. The mailbox is that of an address that had letters, and the rest is what its
-- last letter counts for.
CREATE TABLE pending (
  addressId TEXT PRIMARY KEY, mailbox TEXT, data TEXT NOT NULL,
  network TEXT, domain TEXT, hiddenAskedAt TEXT, letterAt TEXT,
  isAnswered INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX "pending by mailbox" ON pending (mailbox) WHERE mailbox IS NOT NULL;
CREATE INDEX "letters by network" ON pending (network, letterAt, isAnswered)
  WHERE network IS NOT NULL;
CREATE INDEX "letters by domain" ON pending (domain, letterAt, isAnswered) WHERE domain IS NOT NULL;
CREATE INDEX "letters by hidden field" ON pending (hiddenAskedAt, isAnswered)
  WHERE hiddenAskedAt IS NOT NULL;
CREATE INDEX "letters by time" ON pending (letterAt, isAnswered) WHERE letterAt IS NOT NULL;
CREATE INDEX "pending who were brought" ON pending (${broughtBy.pending})
  WHERE ${broughtBy.pending} IS NOT NULL;
CREATE TABLE expired (number INTEGER NOT NULL) STRICT;
INSERT INTO expired (number) VALUES (0);

-- What this list remembers of taking in, in JSON; no row while no page is on Firebase.
CREATE TABLE inbox (data TEXT NOT NULL) STRICT;
-- Each document that was taken in, by its id: so it counts once.
CREATE TABLE inboxDocuments (id ANY PRIMARY KEY) STRICT, WITHOUT ROWID;
-- Requests to confirm that were taken in, until they are empty at Google.
CREATE TABLE inboxRequests (id ANY PRIMARY KEY) STRICT, WITHOUT ROWID;
-- Documents that were found and wait to be judged in the order of their times.
CREATE TABLE inboxWaiting (id TEXT PRIMARY KEY, email TEXT NOT NULL, at TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
CREATE INDEX "waiting in order" ON inboxWaiting (at);
-- Everybody who has a document at Google, with the key that their no has there, and the last no
-- that was written there.
CREATE TABLE inboxPeople (addressId TEXT PRIMARY KEY, noKey TEXT NOT NULL, told TEXT)
  STRICT, WITHOUT ROWID;
-- Noes that were read at Google, of people who may come later.
CREATE TABLE inboxNoes (noKey TEXT PRIMARY KEY, standing TEXT NOT NULL, at TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
-- Addresses that are erased here and not yet at Google, sealed.
CREATE TABLE inboxErasures (addressId TEXT PRIMARY KEY, sealed TEXT NOT NULL, at TEXT NOT NULL)
  STRICT, WITHOUT ROWID;

CREATE TABLE announcements (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, digest TEXT NOT NULL,
  begunAt TEXT NOT NULL, cutOff TEXT NOT NULL, eligible INTEGER,
  -- JSON, once letters were sent.
  pace TEXT
) STRICT;
CREATE TABLE deliveries (
  announcement TEXT NOT NULL, addressId TEXT NOT NULL, email TEXT, status TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0, dueAt TEXT NOT NULL, changedAt TEXT NOT NULL,
  owner TEXT, answer TEXT,
  -- Why somebody was left out.
  standing TEXT,
  language TEXT,
  UNIQUE (addressId, announcement)
) STRICT;
CREATE INDEX "deliveries by what is due" ON deliveries (announcement, status, tries > 0, dueAt);
CREATE TABLE runLock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  owner TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, until TEXT NOT NULL
) STRICT;
-- Which letters a mail server refused. A report is its hash: read again, it is one.
CREATE TABLE refusals (
  addressId TEXT NOT NULL, report TEXT NOT NULL, refusal TEXT NOT NULL, domain TEXT NOT NULL,
  at TEXT NOT NULL, heardAt TEXT NOT NULL,
  PRIMARY KEY (addressId, report)
) STRICT, WITHOUT ROWID;
CREATE INDEX "refusals of a day" ON refusals (domain, substr(at, 1, 10), addressId);
-- With which public keys invitations are verified, until the last code of each is over.
CREATE TABLE invitationKeys (publicKey TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;

-- Hours are those since 1970.
CREATE TABLE visits (
  hour INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (hour, kind)
) STRICT, WITHOUT ROWID;
-- The commonest names; the weight decides which of them have to go.
CREATE TABLE visitNames (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, weight INTEGER NOT NULL,
  UNIQUE (kind, name)
) STRICT;
-- A negative id stands for the names of a kind that had to go.
CREATE TABLE visitsByName (
  nameId INTEGER NOT NULL, hour INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (nameId, hour)
) STRICT, WITHOUT ROWID;

-- One row at most. Without a url it was set once and is undone: no copy brings it back.
CREATE TABLE opening (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  url TEXT, at TEXT NOT NULL, zone TEXT NOT NULL, openedAt TEXT
) STRICT;
-- Who may open the desk: links, sessions and passkeys, as hashes and public keys.
CREATE TABLE deskAccess (
  only INTEGER PRIMARY KEY CHECK (only = 1), data TEXT NOT NULL
) STRICT;

-- What the operator is told, and which of it each place got.
CREATE TABLE notices (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
  at TEXT NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE TABLE noticePlaces (name TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE alarms (kind TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- What other systems are told of people. One row a person, so that it stays in order; none where
-- nothing waits.
CREATE TABLE eventQueues (
  person TEXT PRIMARY KEY, dueAt INTEGER, heldAt INTEGER, data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX "events due" ON eventQueues (dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX "events held" ON eventQueues (heldAt) WHERE heldAt IS NOT NULL;
CREATE TABLE eventFeed (data TEXT NOT NULL) STRICT;

CREATE TABLE backups (at TEXT NOT NULL) STRICT;
-- A copy has its row before it has its name: what has none was made by somebody else.
CREATE TABLE keptCopies (
  folder TEXT NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL, bytes INTEGER NOT NULL,
  keep TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (folder, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE rehearsals (at TEXT NOT NULL, copy TEXT NOT NULL, fault TEXT) STRICT;

-- Counted as they change, since counting a million takes seconds. A kind is a standing, or
-- 'signUps', 'imported', 'toConfirm' or 'confirmed'. New documents are counted by the code that
-- adds them: once for a whole group of sign-ups.
CREATE TABLE counts (
  kind TEXT NOT NULL, quarter INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (kind, quarter)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER "a document leaves the count" AFTER DELETE ON documents BEGIN
  ${countDocument('old', -1)}
END;
CREATE TRIGGER "a document changes its time" AFTER UPDATE OF data, signedUpAt ON documents
WHEN old.data <> new.data OR old.signedUpAt IS NOT new.signedUpAt BEGIN
  ${countDocument('old', -1)}
  ${countDocument('new', 1)}
END;
CREATE TRIGGER "a standing is counted" AFTER INSERT ON standings
WHEN new.listed IS NOT 0 BEGIN ${countStanding('new', 1)} END;
CREATE TRIGGER "a standing leaves the count" AFTER DELETE ON standings
WHEN old.listed IS NOT 0 BEGIN ${countStanding('old', -1)} END;
CREATE TRIGGER "a standing was counted" AFTER UPDATE ON standings
WHEN old.listed IS NOT 0 BEGIN ${countStanding('old', -1)} END;
CREATE TRIGGER "a standing is counted anew" AFTER UPDATE ON standings
WHEN new.listed IS NOT 0 BEGIN ${countStanding('new', 1)} END;
CREATE TRIGGER "somebody has to confirm" AFTER INSERT ON pending
WHEN ${isToConfirm('new')} BEGIN ${count(`'toConfirm'`, '0', 1)} END;
CREATE TRIGGER "somebody is not asked any more" AFTER DELETE ON pending
WHEN ${isToConfirm('old')} BEGIN ${count(`'toConfirm'`, '0', -1)} END;
CREATE TRIGGER "somebody answered" AFTER UPDATE OF data ON pending
WHEN (${isToConfirm('old')}) <> (${isToConfirm('new')}) BEGIN
  ${count(`'toConfirm'`, '0', `iif(${isToConfirm('new')}, 1, -1)`)}
END;
CREATE TRIGGER "a consent is counted" AFTER INSERT ON extras
WHEN ${hasConsent('new')} BEGIN ${count(`'confirmed'`, '0', 1)} END;
CREATE TRIGGER "a consent leaves the count" AFTER DELETE ON extras
WHEN ${hasConsent('old')} BEGIN ${count(`'confirmed'`, '0', -1)} END;
CREATE TRIGGER "a consent comes or goes" AFTER UPDATE OF fields ON extras
WHEN (${hasConsent('old')}) <> (${hasConsent('new')}) BEGIN
  ${count(`'confirmed'`, '0', `iif(${hasConsent('new')}, 1, -1)`)}
END;`
