import type { Out } from '../../terminal/out.ts'
import { counted } from '../../terminal/words.ts'
import type { Report, Told } from '../../upkeep/report.ts'
import type { ServiceKind } from '../../upkeep/update/service.ts'
import { notReadyInWords } from './not-ready.ts'

/** Says what upkeep reports while it works. Failures are red. */
export function reportTo({ say, style }: Pick<Out, 'say' | 'style'>): Report {
  return (code, data) => {
    const words = inWords[code](data)
    const isBad = code === 'not-ready' || (code === 'went-back' && 'why' in data && data.why)
    say(isBad ? style.red(words) : words)
  }
}

const inWords: { readonly [Code in keyof Told]: (data: Told[Code]) => string } = {
  'waits-for-other-back-up': () =>
    'Another back-up or rehearsal is under way: waiting for its end.',
  plan: planInWords,
  interrupted: () => 'An update was interrupted. The same command without --check goes on with it.',
  'nothing-new': () => 'Nothing is new.',
  'program-said': ({ line }) => line,
  'no-folder-for-back-ups': () =>
    'BACKUP_TO is not set, so no lasting back-up is made: docs/backups.md.',
  'tried-empty': ({ isFirestore }) =>
    `The new version runs, and shows its page. ${isFirestore ? 'It was tried on an empty list, since a list in Firestore cannot be copied from here.' : 'There is no list yet.'}`,
  'tried-on-a-copy': ({ subscribers, version }) =>
    `The new version ran on a copy of the list${version === undefined ? '' : ` and brought it up to version ${version}`}: ${counted(subscribers, 'person', 'people')}, all there.`,
  'changed-meanwhile': () =>
    'Somebody changed something here meanwhile, so nothing was updated: start again.',
  'being-finished': () => 'The update is being finished; that takes a moment.',
  'going-forth': ({ before, after }) => `Putting ${after} in place of ${before} …`,
  starting: () => 'Starting it …',
  'in-place': ({ after, service }) =>
    service.kind === 'none'
      ? `${after} is in place. It was tried on your list, and was ready. Start it now, as before.`
      : `${after} runs, and is ready.`,
  'not-ready': (why) => `The new version is not ready: ${notReadyInWords(why)}`,
  'stays-in-firestore': ({ before, after }) =>
    `The new version stays: the data in Firestore may be of that version by now, which the old one refuses. The log of the server says why it is not ready. What changed in the code: git diff ${before} ${after}`,
  'stop-failed': ({ command, said, url }) =>
    `"${command}" failed${said && `: ${said}`}\nThe update goes on, since no server answers at ${url}.`,
  'going-back': ({ before }) => `Going back to ${before} …`,
  'list-stays-new': () =>
    'The list could not go back, so the new version stays. The same command tries again.',
  'went-back': ({ before, why }) =>
    why
      ? `${before} is in place again, but it is not ready either: ${notReadyInWords(why)}`
      : `${before} runs again, as before. No subscriber was lost.`,
}

function planInWords({ look, steps, isFirestore, service }: Told['plan']): string {
  const { from, target, changes, moreChanges, plan, edits, newPackages } = look
  return [
    `From ${from}, commit ${target}`,
    'New:',
    ...changes.map((line) => `  ${line}`),
    ...(moreChanges > 0 ? [`  and ${moreChanges} more: git log ${plan.head}..${target}`] : []),
    ...(edits.length > 0 ? [`Yours, not committed, and kept: ${edits.join(', ')}`] : []),
    ...(newPackages ? ['The packages change too.'] : []),
    ...(steps.length > 0 ? ['The stored data is brought up to date:'] : []),
    ...steps.map((line) => `  ${line}`),
    ...(isFirestore && steps.length > 0
      ? [
          'In Firestore there is no way back from that, and no copy is made from here: docs/firebase.md.',
        ]
      : []),
    ...(service ? [serviceInWords(service)] : []),
  ].join('\n')
}

function serviceInWords(service: ServiceKind): string {
  if (service.kind === 'commands') return `Then: ${service.stop}; ${service.start}`
  return service.kind === 'systemd'
    ? 'Then: systemctl restart opening-bell.service'
    : 'No server runs here now. The new version is tried on the list; you start it afterwards.'
}
