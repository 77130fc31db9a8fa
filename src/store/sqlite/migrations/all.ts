import { first } from './001-first.ts'
import { standings } from './002-standings.ts'
import { counts } from './007-counts.ts'
import { imports } from './016-imports.ts'
import type { Migration } from './migration.ts'

/**
 * Every step there ever was, in order; those that need more than a few statements have their own
 * files. A released one never changes.
 */
export const migrations: readonly Migration[] = [
  first,
  standings,
  {
    version: 3,
    why: 'Visitors may be asked to confirm: the letters that have to leave are kept, and who has yet to confirm.',
    up(db) {
      db.exec(`
        -- A row for each time that somebody left an address, until its letter is done with.
        CREATE TABLE outbox (
          id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, askedAt TEXT NOT NULL,
          shown TEXT NOT NULL, isCrowd INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
          dueAt TEXT NOT NULL
        ) STRICT;
        CREATE INDEX "what leaves next" ON outbox (isCrowd, dueAt);
        -- The mailbox is that of an address that had letters.
        CREATE TABLE pending (
          addressId TEXT PRIMARY KEY, mailbox TEXT, data TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "pending by mailbox" ON pending (mailbox) WHERE mailbox IS NOT NULL;
        CREATE TABLE expired (number INTEGER NOT NULL) STRICT;
        INSERT INTO expired (number) VALUES (0);`)
    },
  },
  {
    version: 4,
    why: 'An address may be quarantined, for signs of a robot in its sign-up.',
    up(db) {
      db.exec('ALTER TABLE outbox ADD COLUMN suspicion TEXT')
    },
  },
  {
    version: 5,
    why: 'Visits are counted, and where subscribers came from is kept.',
    up(db) {
      db.exec(`
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
        CREATE TABLE sources (
          addressId TEXT PRIMARY KEY, at TEXT NOT NULL, source TEXT, medium TEXT, campaign TEXT
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE outbox ADD COLUMN source TEXT;`)
    },
  },
  {
    version: 6,
    why: 'Who may open the desk is kept: links, sessions and passkeys, as hashes and public keys.',
    up(db) {
      db.exec(`
        CREATE TABLE deskAccess (
          only INTEGER PRIMARY KEY CHECK (only = 1), data TEXT NOT NULL
        ) STRICT;`)
    },
  },
  counts,
  {
    version: 8,
    why: 'The operator is told of milestones, days and alarms: the notices are kept, and which of them each place got.',
    up(db) {
      db.exec(`
        CREATE TABLE notices (
          number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
          at TEXT NOT NULL, data TEXT NOT NULL
        ) STRICT;
        CREATE TABLE noticePlaces (name TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE alarms (kind TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT, WITHOUT ROWID;`)
    },
  },
  {
    version: 9,
    why: 'When the page opens is kept, so that all servers open it together.',
    up(db) {
      db.exec(`
        -- One row at most. Without a url it was set once and is undone: no copy brings it back.
        CREATE TABLE opening (
          only INTEGER PRIMARY KEY CHECK (only = 1),
          url TEXT, at TEXT NOT NULL, zone TEXT NOT NULL, openedAt TEXT
        ) STRICT`)
    },
  },
  {
    version: 10,
    why: 'The list knows which copies of it are kept where, and when one was last restored to try it.',
    up(db) {
      db.exec(`
        -- A copy has its row before it has its name: what has none was made by somebody else.
        CREATE TABLE keptCopies (
          folder TEXT NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL, bytes INTEGER NOT NULL,
          keep TEXT NOT NULL, content TEXT NOT NULL,
          PRIMARY KEY (folder, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE rehearsals (
          at TEXT NOT NULL, copy TEXT NOT NULL, fault TEXT
        ) STRICT;`)
    },
  },
  {
    version: 11,
    why: 'A letter may invite its reader: it is kept who was invited, until when, and what came of it.',
    up(db) {
      db.exec(`
        -- A row is there before its letter leaves.
        CREATE TABLE invitations (
          id TEXT PRIMARY KEY, announcement TEXT NOT NULL, addressId TEXT NOT NULL,
          email TEXT NOT NULL, issuedAt TEXT NOT NULL, expiresAt TEXT NOT NULL,
          endedAs TEXT, endedAt TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "invitations by address" ON invitations (addressId);
        -- With which public key they are verified: another one would be told to nobody.
        CREATE TABLE invitationKey (
          only INTEGER PRIMARY KEY CHECK (only = 1), publicKey TEXT NOT NULL
        ) STRICT;`)
    },
  },
  {
    version: 12,
    why: 'An announcement may go out in waves, and one that does must not go to everybody at once.',
    up(db) {
      // JSON, of one that has waves.
      db.exec('ALTER TABLE announcements ADD COLUMN waves TEXT')
    },
  },
  {
    version: 13,
    why: 'Confirmation letters are counted by network and by domain, so that a flood of them waits.',
    up(db) {
      db.exec(`
        -- The keyed hash of a network, and the name of the brake that a row waits for.
        ALTER TABLE outbox ADD COLUMN network TEXT;
        ALTER TABLE outbox ADD COLUMN waitsFor TEXT;
        CREATE INDEX "what waits" ON outbox (waitsFor) WHERE waitsFor IS NOT NULL;
        -- What the last letter of an address counts for; nothing of a letter from before this version.
        ALTER TABLE pending ADD COLUMN network TEXT;
        ALTER TABLE pending ADD COLUMN domain TEXT;
        ALTER TABLE pending ADD COLUMN hiddenAskedAt TEXT;
        ALTER TABLE pending ADD COLUMN letterAt TEXT;
        ALTER TABLE pending ADD COLUMN isAnswered INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX "letters by network" ON pending (network, letterAt, isAnswered)
          WHERE network IS NOT NULL;
        CREATE INDEX "letters by domain" ON pending (domain, letterAt, isAnswered)
          WHERE domain IS NOT NULL;
        CREATE INDEX "letters by hidden field" ON pending (hiddenAskedAt, isAnswered)
          WHERE hiddenAskedAt IS NOT NULL;
        CREATE INDEX "letters by time" ON pending (letterAt, isAnswered) WHERE letterAt IS NOT NULL;
        -- Letters that were asked for by then wait for that no more: the operator released them.
        CREATE TABLE released (
          waitsFor TEXT PRIMARY KEY, until TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;`)
    },
  },
  {
    version: 14,
    why: 'An announcement may have letters in several languages, and a delivery says which one it was.',
    up(db) {
      db.exec('ALTER TABLE deliveries ADD COLUMN language TEXT')
    },
  },
  {
    version: 15,
    why: 'Other systems are told what becomes of people: the events that wait are kept, and how the receiver answers.',
    up(db) {
      db.exec(`
        -- One row a person, so that what is told of them stays in order; none where nothing waits.
        CREATE TABLE eventQueues (
          person TEXT PRIMARY KEY, dueAt INTEGER, heldAt INTEGER, data TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "events due" ON eventQueues (dueAt) WHERE dueAt IS NOT NULL;
        CREATE INDEX "events held" ON eventQueues (heldAt) WHERE heldAt IS NOT NULL;
        CREATE TABLE eventFeed (data TEXT NOT NULL) STRICT;`)
    },
  },
  imports,
  {
    version: 17,
    why: 'Who brought a sign-up is kept with it, and erased when either of the two is.',
    up(db) {
      db.exec(`
        ALTER TABLE outbox ADD COLUMN broughtBy TEXT;
        CREATE INDEX "requests of the brought" ON outbox (broughtBy) WHERE broughtBy IS NOT NULL;
        CREATE INDEX "pending who were brought"
          ON pending (iif(json_valid(data), data ->> 'broughtBy', NULL))
          WHERE iif(json_valid(data), data ->> 'broughtBy', NULL) IS NOT NULL;
        CREATE INDEX "the brought"
          ON extras (iif(json_valid(fields), fields ->> '$.referral.by', NULL))
          WHERE iif(json_valid(fields), fields ->> '$.referral.by', NULL) IS NOT NULL;
        -- An update that was taken back left a version that erases people and knows of none of this.
        UPDATE extras SET fields = json_remove(fields, '$.referral')
          WHERE iif(json_valid(fields), fields ->> '$.referral.by', NULL) IN
            (SELECT addressId FROM standings WHERE standing = 'forgotten');`)
    },
  },
  {
    version: 18,
    why: 'Which letters a mail server refused is kept for two weeks: one full mailbox is no bounce, and neither are many refusals in a day.',
    up(db) {
      db.exec(`
        CREATE TABLE refusals (
          addressId TEXT NOT NULL,
          -- A hash of the report: read again, it is one.
          report TEXT NOT NULL,
          refusal TEXT NOT NULL,
          domain TEXT NOT NULL,
          at TEXT NOT NULL,
          heardAt TEXT NOT NULL,
          PRIMARY KEY (addressId, report)
        ) WITHOUT ROWID;
        CREATE INDEX "refusals of a day" ON refusals (domain, substr(at, 1, 10), addressId);`)
    },
  },
]

/** The version that this code reads and writes. */
export const newestVersion = migrations.length
