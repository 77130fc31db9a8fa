import { pathToFileURL } from 'node:url'
import type { Merged } from '../backups.ts'
import { becomeList } from './become-list.ts'
import { eraseTraces } from './erase-traces.ts'
import { beside } from './merge-beside.ts'
import { type Merging, mergePeople } from './merge-people.ts'
import { mergeAnnouncements } from './merge-told.ts'
import type { OpenList } from './open-list.ts'
import type { Persons } from './persons.ts'
import { takeInAllHere } from './taking-in.ts'

export function sqliteRestore(list: OpenList) {
  return {
    /** Makes a list of this file, a copy that only we can have made. */
    becomeList: (now: Date): Promise<Merged> =>
      list.writePersons((persons) => becomeList(persons, now)),

    /**
     * Puts what a copy knows together with what is known here: told beats untold, a no beats what it was
     * said after. Of one that is not believed come people, what they said no to, and what they were told.
     */
    async restore(file: string, { isBelieved }: { isBelieved: boolean }): Promise<Merged> {
      const from = `${pathToFileURL(file).href}?mode=ro`
      await list.read((sql) => sql('ATTACH ? AS copy').run(from))
      try {
        const { gone, merged } = await list.writePersons((persons) =>
          mergeCopy(persons, isBelieved),
        )
        if (gone.length > 0) await eraseTraces(list, gone)
        return merged
      } finally {
        // After an error, the connection is another one.
        const isThere = "SELECT 1 FROM pragma_database_list WHERE name = 'copy'"
        await list.read((sql) => sql(isThere).get() && sql('DETACH copy').run())
      }
    },
  }
}

function mergeCopy(persons: Persons, isBelieved: boolean): Merging {
  const merged = { added: 0, known: 0, forgotten: 0, refused: 0, announcements: 0, stillToTell: 0 }
  const merging: Merging = { persons, isBelieved, now: new Date(), merged, gone: [] }
  // What was left here came before whatever is said now.
  takeInAllHere(persons)
  mergePeople(merging)
  mergeAnnouncements(merging)
  if (isBelieved) for (const merge of beside) merge(merging)
  return merging
}
