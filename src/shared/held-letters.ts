import { grouped } from './counted.ts'
/**
 * Why a letter may have to wait: a program filled the hidden field, or too many letters of one
 * network, of one domain, or of all are unanswered.
 */
export const brakes = ['hidden-field', 'network', 'domain', 'share'] as const

export type Brake = (typeof brakes)[number]

/** How many letters wait, by reason. */
export type HeldLetters = Readonly<Record<Brake, number>>

export const nothingHeld: HeldLetters = { 'hidden-field': 0, network: 0, domain: 0, share: 0 }

const reasons: Readonly<Record<Brake, readonly [why: string, howLong: string]>> = {
  'hidden-field': [
    'a program filled the field that people do not see',
    'until you send them, 14 days at most',
  ],
  network: [
    'ten others that were asked for from the same network are not answered',
    'an hour at most',
  ],
  domain: ['ten others to the same domain are not answered', 'an hour at most'],
  share: ['fewer than 40 of the last 200 are answered', 'an hour at most'],
}

/** A sentence or two for each reason with waiting letters, for the operator. */
export function heldInWords(held: HeldLetters): { readonly brake: Brake; readonly text: string }[] {
  return brakes
    .filter((brake) => held[brake] > 0)
    .map((brake) => {
      const [why, howLong] = reasons[brake]
      const number = grouped(held[brake])
      const wait = held[brake] === 1 ? 'letter waits' : 'letters wait'
      return { brake, text: `${number} ${wait}, because ${why}. This lasts ${howLong}.` }
    })
}
