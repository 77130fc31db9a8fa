import type { FirestoreMigration } from './migration.ts'

const PAGES_AT_ONCE = 100

const first: FirestoreMigration = {
  version: 1,
  why: 'The first version, from before versions were numbered: no document names it.',
  up: async () => {},
}

const standings: FirestoreMigration = {
  version: 2,
  why: 'An address may have bounced or complained too: entries have more fields, and no entry changes.',
  up: async () => {},
}

const summary: FirestoreMigration = {
  version: 3,
  why: 'A summary of the list is kept. It holds addresses, so an address that is forgotten is erased there as well.',
  up: async () => {},
}

const confirmation: FirestoreMigration = {
  version: 4,
  why: 'Visitors may be asked to confirm: three more collections, and no document changes.',
  up: async () => {},
}

const quarantine: FirestoreMigration = {
  version: 5,
  why: 'An address may be quarantined, and a sign-up says which signs of a robot it had: no document changes.',
  up: async () => {},
}

const visits: FirestoreMigration = {
  version: 6,
  why: 'Where subscribers came from is kept, and erased with a subscriber.',
  up: async () => {},
}

const desk: FirestoreMigration = {
  version: 7,
  why: 'Who may open the desk is kept in a document of its own, and no other changes.',
  up: async () => {},
}

const notices: FirestoreMigration = {
  version: 8,
  why: 'What the operator is to be told of is kept: three more collections, and no document changes.',
  up: async () => {},
}

const opening: FirestoreMigration = {
  version: 9,
  why: 'When the page opens is kept, so that all servers open it together.',
  up: async () => {},
}

const invitations: FirestoreMigration = {
  version: 10,
  why: 'Who was invited is kept, and erased with a subscriber.',
  up: async () => {},
}

const waves: FirestoreMigration = {
  version: 11,
  why: 'An announcement may go out in waves, and a program that knows nothing of them would tell everybody at once.',
  up: async () => {},
}

const brake: FirestoreMigration = {
  version: 12,
  why: 'Confirmation letters are counted by network and by domain: no document changes.',
  up: async () => {},
}

const events: FirestoreMigration = {
  version: 13,
  why: 'What other systems are to be told is kept, and erased with a subscriber.',
  up: async () => {},
}

const imports: FirestoreMigration = {
  version: 14,
  why: 'The summary says when somebody signed up at the page, which an import is not: its pages are made anew.',
  async up({ use }, { summary }) {
    for (;;) {
      const { docs } = await use(() => summary.select().limit(PAGES_AT_ONCE).get())
      if (docs.length === 0) return
      await use(() => Promise.all(docs.map(({ ref }) => ref.delete())))
    }
  },
}

/** Every step there ever was, in order. A released one never changes. */
export const firestoreMigrations: readonly FirestoreMigration[] = [
  first,
  standings,
  summary,
  confirmation,
  quarantine,
  visits,
  desk,
  notices,
  opening,
  invitations,
  waves,
  brake,
  events,
  imports,
]
