import type { DatabaseSync } from 'node:sqlite'
import { FOUND } from '../arrival.ts'
import { connectionTo } from './connection.ts'
import { countingDeliveries } from './delivery-rows.ts'
import { putNote } from './notes.ts'

/** Makes all tables in an empty file, as they are, in the open transaction. @param appId of the list. */
export function makeTables(db: DatabaseSync, appId: string): void {
  db.exec(tables)
  putNote(connectionTo(db).sql, 'appId', appId)
}

const tables = `
-- The specification's records, at their path: those of everybody on the list, and what visitors left
-- and is not taken in yet, for which nothing was looked up.
CREATE TABLE documents (
  path TEXT AS (collection || '/' || id) VIRTUAL,
  collection TEXT NOT NULL,
  -- It grows, and never comes again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  data TEXT NOT NULL,
  -- The line in which it waits to be taken in, and what was seen of it, in JSON; of a record that is in,
  -- nothing. Whose it is: the keyed id of an address, unless it came under another link.key.
  waits INTEGER, seen TEXT, addressId TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX "what waits to be taken in" ON documents (waits) WHERE waits IS NOT NULL;
-- Ids are random, so in one index of a million each sign-up would write another page: what comes together
-- stays together, some 8 KB of it.
CREATE INDEX "what waits of somebody" ON documents (id >> 8, addressId) WHERE waits < ${FOUND};
CREATE INDEX "found of somebody" ON documents (id >> 8, addressId) WHERE waits = ${FOUND};
CREATE INDEX "what waits unnamed" ON documents (id) WHERE waits IS NOT NULL AND addressId = '';
CREATE INDEX "found, in order" ON documents (
  iif(json_valid(data), data ->> 'subscribedAt', NULL)) WHERE waits = ${FOUND};
CREATE VIEW subscribers AS
  SELECT data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt, path
  FROM documents WHERE collection LIKE '%/subscribers' ORDER BY id;

-- Everybody of whom anything is known, each as one value, by the keyed id of their address. A
-- subscriber has the number of their record: the list is in the order in which they came.
CREATE TABLE persons (
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, number INTEGER UNIQUE,
  data TEXT NOT NULL
) STRICT;
-- Where they are found: the only index of what is in their values.
CREATE TABLE places (tag TEXT NOT NULL, at TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tag, at, n)) STRICT, WITHOUT ROWID;
-- What is counted of them as they change, since counting a million takes seconds.
CREATE TABLE counters (name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- What is one value, in JSON: whose list it is (appId), with which link.key its addresses are hashed
-- (boundTo), the opening, who may open the desk, what is wrong (alarm:) and all else of that kind.
CREATE TABLE notes (name TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Each document of Firestore that was appended, by its id: so it is once; a request to confirm until
-- it is empty there.
CREATE TABLE inboxDocuments (
  collection TEXT NOT NULL, id ANY NOT NULL, PRIMARY KEY (collection, id)
) STRICT, WITHOUT ROWID;
-- Those of people who said no, or are back since, by the key that it has at Google; and whether it is there.
CREATE TABLE inboxNoes (
  noKey TEXT PRIMARY KEY, standing TEXT NOT NULL, at TEXT NOT NULL, isTold INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX "noes to tell" ON inboxNoes (isTold) WHERE isTold = 0;
-- Addresses that are erased here and not yet at Google, sealed.
CREATE TABLE inboxErasures (addressId TEXT PRIMARY KEY, sealed TEXT NOT NULL, at TEXT NOT NULL)
  STRICT, WITHOUT ROWID;

CREATE TABLE announcements (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, digest TEXT NOT NULL,
  -- A person with a higher number came later, and is new to it.
  begunAt TEXT NOT NULL, upTo INTEGER NOT NULL, eligible INTEGER
) STRICT;
-- By the number of a person; of one who was erased, by one below zero that says nothing of them.
CREATE TABLE deliveries (
  announcement TEXT NOT NULL, number INTEGER NOT NULL, status TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- Their order: lower ones go before others who were never tried. In milliseconds since 1970 it is
  -- when who was tried is due, or when it ended.
  turn INTEGER NOT NULL,
  changedAt TEXT NOT NULL, owner TEXT, answer TEXT,
  -- Why somebody was left out.
  standing TEXT,
  language TEXT,
  PRIMARY KEY (announcement, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX "deliveries in turn" ON deliveries (announcement, status, tries > 0, turn);
${countingDeliveries}
-- The last run of each announcement, by the process that sends it, with what it noted of itself in
-- JSON. The one with an end of its lease has the lock; it has no name where it sends nothing.
CREATE TABLE runs (
  announcement TEXT PRIMARY KEY, number INTEGER NOT NULL,
  owner TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, until TEXT,
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX "one run at a time" ON runs (until IS NOT NULL) WHERE until IS NOT NULL;
-- Which letters a mail server refused. A report is its hash: read again, it is one.
CREATE TABLE refusals (
  addressId TEXT NOT NULL, report TEXT NOT NULL, refusal TEXT NOT NULL, domain TEXT NOT NULL,
  at TEXT NOT NULL, heardAt TEXT NOT NULL,
  PRIMARY KEY (addressId, report)
) STRICT, WITHOUT ROWID;
CREATE INDEX "refusals of a day" ON refusals (domain, substr(at, 1, 10), addressId);
-- With which public keys the codes of letters are verified, until the last code of each is over.
CREATE TABLE codeKeys (publicKey TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;

-- Hours are those since 1970.
CREATE TABLE visits (
  hour INTEGER PRIMARY KEY, first INTEGER NOT NULL, return INTEGER NOT NULL,
  robot INTEGER NOT NULL, prefetch INTEGER NOT NULL
) STRICT;
-- The commonest names of visits, by when their day began, in milliseconds since 1970.
CREATE TABLE visitNames (day INTEGER PRIMARY KEY, names TEXT NOT NULL) STRICT;

-- What is to be sent, in lines, each of which stays in order: what other systems are told of a person,
-- and what a place where the operator is told has yet to be told. Without dueAt a line is held.
CREATE TABLE queue (
  kind TEXT NOT NULL, id TEXT NOT NULL, tries INTEGER NOT NULL, dueAt INTEGER, data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX "what is due" ON queue (kind, tries > 0, dueAt) WHERE dueAt IS NOT NULL;`
