import { grouped } from './counted.ts'
import { type Sentence, say } from './say.ts'

/**
 * Why a letter may have to wait: a program filled the hidden field, or too many letters of one
 * network, of one domain, or of all are unanswered.
 */
export const brakes = ['hidden-field', 'network', 'domain', 'share'] as const

export type Brake = (typeof brakes)[number]

/** How many letters wait, by reason. */
export type HeldLetters = Readonly<Record<Brake, number>>

const reasons: Readonly<Record<Brake, Sentence>> = {
  'hidden-field': 'a program filled the field that people do not see',
  network: 'sign-ups of the same network have ten more unanswered letters than answered ones',
  domain: 'addresses of the same domain have ten more unanswered letters than answered ones',
  share: 'fewer than 40 of the last 200 letters were answered',
}

/** A sentence or two for each reason with waiting letters, for the operator. */
export function heldInWords(held: HeldLetters) {
  return brakes
    .filter((brake) => held[brake] > 0)
    .map((brake) => {
      const isOne = held[brake] === 1
      const wait = isOne ? say('confirmation letter waits') : say('confirmation letters wait')
      const end =
        brake === 'hidden-field'
          ? say('This lasts until you send {them}; after 14 days {they} erased.', {
              them: isOne ? say('it') : say('them'),
              they: isOne ? say('it is') : say('they are'),
            })
          : say('This lasts an hour at most.')
      return {
        brake,
        letters: held[brake],
        text: say('{letters} {wait}, because {reason}. {end}', {
          letters: grouped(held[brake]),
          wait,
          reason: say(reasons[brake]),
          end,
        }),
      }
    })
}
