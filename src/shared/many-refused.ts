import { grouped } from './counted.ts'
import { say } from './say.ts'

/** A day, in UTC, on which one provider refused letters to many of those on the list there. */
export interface ManyRefused {
  readonly domain: string
  readonly day: string
  readonly people: number
  readonly of: number
}

export function manyRefusedInWords({ domain, day, people, of }: ManyRefused): string {
  return say(
    "{domain} refused letters to {people} of your {of} people there on {day}. None of them counts as bounced, since it is seldom the readers' fault: see what it answered before you send again.",
    { domain, people: grouped(people), of: grouped(of), day },
  )
}
