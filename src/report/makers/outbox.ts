import { heldLetters } from '../../checks/health.ts'
import type { Report } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import type { Requests } from '../../store/store.ts'
import { counted } from '../../terminal/words.ts'
import { healthNote } from './health.ts'

/** The letters that have yet to leave, and those that are held. @param released how many just were. @throws StoreUnavailable */
export async function outboxReport(
  requests: Pick<Requests, 'heldLetters' | 'counts'>,
  released?: number,
): Promise<Report> {
  const held = await heldLetters.probe({ store: { requests } })
  const { waiting } = await requests.counts()
  const done = {
    code: 'released',
    text: say('{released} released: they leave within minutes.', {
      released: counted(released ?? 0, 'letter'),
    }),
    data: { released },
  }
  return {
    title: say('Outbox'),
    parts: [
      {
        part: 'figures',
        figures: [
          {
            name: 'waiting',
            label: say('Confirmation letters to be sent'),
            value: waiting,
            isLead: true,
          },
        ],
      },
      {
        part: 'notes',
        notes: [...(released === undefined ? [] : [done]), ...held.map(healthNote)],
      },
    ],
  }
}
