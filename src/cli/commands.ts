import { features } from '../features/all.ts'
import type { Command, Options } from '../shared/command.ts'
import { lettersThatAsk } from '../store/letters-that-ask.ts'
import announce from './commands/announce.json' with { type: 'json' }
import backup from './commands/backup.json' with { type: 'json' }
import checkMail from './commands/check-mail.json' with { type: 'json' }
import checkSite from './commands/check-site.json' with { type: 'json' }
import collect from './commands/collect.json' with { type: 'json' }
import deliveries from './commands/deliveries.json' with { type: 'json' }
import desk from './commands/desk.json' with { type: 'json' }
import events from './commands/events.json' with { type: 'json' }
import exporting from './commands/export.json' with { type: 'json' }
import find from './commands/find.json' with { type: 'json' }
import forget from './commands/forget.json' with { type: 'json' }
import importing from './commands/import.json' with { type: 'json' }
import install from './commands/install.json' with { type: 'json' }
import list from './commands/list.json' with { type: 'json' }
import notify from './commands/notify.json' with { type: 'json' }
import open from './commands/open.json' with { type: 'json' }
import outbox from './commands/outbox.json' with { type: 'json' }
import quarantine from './commands/quarantine.json' with { type: 'json' }
import restore from './commands/restore.json' with { type: 'json' }
import status from './commands/status.json' with { type: 'json' }
import suppress from './commands/suppress.json' with { type: 'json' }
import unsubscribe from './commands/unsubscribe.json' with { type: 'json' }
import update from './commands/update.json' with { type: 'json' }

const byFeatures: Options = Object.assign({}, ...features.map(({ rules }) => rules.announceOptions))

const asking = lettersThatAsk.flatMap(({ note }, at) => (at > 0 ? ['', note] : [note]))

const own: readonly Command[] = [
  { ...desk, load: () => import('./commands/desk.ts') },
  { ...status, load: () => import('./commands/status.ts') },
  { ...importing, load: () => import('./commands/import.ts') },
  { ...exporting, load: () => import('./commands/export.ts') },
  { ...open, load: () => import('./commands/open.ts') },
  {
    ...announce,
    more: { ...byFeatures, ...announce.more },
    notes: announce.notes.flatMap((line) => (line === '{letters that ask}' ? asking : line)),
    load: () => import('./commands/announce.ts'),
  },
  { ...find, load: () => import('./commands/find.ts') },
  { ...forget, load: () => import('./commands/forget.ts') },
  { ...backup, load: () => import('./commands/backup.ts') },

  { ...list, load: () => import('./commands/list.ts') },
  { ...unsubscribe, load: () => import('./commands/unsubscribe.ts') },
  { ...suppress, load: () => import('./commands/suppress.ts') },
  { ...quarantine, load: () => import('./commands/quarantine.ts') },
  { ...collect, load: () => import('./commands/collect.ts') },

  { ...checkMail, load: () => import('./commands/check-mail.ts') },
  { ...outbox, load: () => import('./commands/outbox.ts') },
  { ...deliveries, load: () => import('./commands/deliveries.ts') },

  { ...notify, load: () => import('./commands/notify.ts') },
  { ...events, load: () => import('./commands/events.ts') },
  { ...checkSite, load: () => import('./commands/check-site.ts') },
  { ...restore, load: () => import('./commands/restore.ts') },
  { ...install, load: () => import('./commands/install.ts') },
  { ...update, load: () => import('./commands/update.ts') },
]

const ofFeatures = features.flatMap((feature) =>
  feature.command
    ? { ...feature.command, load: async () => (await import('./features.ts')).workOf(feature) }
    : [],
)

/** The commands, in the order of `--help`. */
export const commands: readonly Command[] = own.flatMap((command) => [
  command,
  ...ofFeatures.filter(({ after }) => after === command.name),
])
