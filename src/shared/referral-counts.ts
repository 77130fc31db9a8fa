/** More friends of one link in a day (in UTC) than this are looked at before they count. */
export const MOST_A_DAY = 10

/**
 * Why a friend does not count. `mailbox`: it is that of somebody who was on the list before, such as the
 * owner of the link. `ring`: by their own link, they brought an address of the owner's mailbox.
 * `nobody`: the owner of the link is not on the list.
 */
export const refusals = ['mailbox', 'ring', 'nobody'] as const

export type Refusal = (typeof refusals)[number]

export const refusalReasons: Readonly<Record<Refusal, string>> = {
  mailbox: 'whose mailbox was on the list already',
  ring: 'who brought each other',
  nobody: 'whose link belongs to nobody on the list',
}

/**
 * Why the friends of a day wait for the operator: there are many, or some have signs of a robot, or came
 * by the links of several, so that nobody knows whose friends they are.
 */
export type HeldReason = 'many' | 'signs' | 'contested'

export const heldReasons: Readonly<Record<HeldReason, string>> = {
  many: `more than ${MOST_A_DAY} in a day`,
  signs: 'signs of a robot',
  contested: 'by the links of several',
}

/** A day of one personal link that waits. */
export interface HeldDay {
  /** Whose link it is. */
  readonly email: string
  /** In UTC, such as `2026-11-25`. */
  readonly day: string
  /** How many friends wait. */
  readonly number: number
  readonly why: HeldReason
}

/** Who brought the most. */
export interface Bringer {
  readonly email: string
  /** How many friends count. */
  readonly credited: number
}

/** What became of those who came by a personal link. */
export interface ReferralCounts {
  /** How many people have a personal link: all who confirmed. */
  readonly links: number
  /** By how many of these somebody came and confirmed. */
  readonly used: number
  /** Friends who are asked, and have yet to confirm. */
  readonly asked: number
  /** Friends who confirmed: the sum of the next three. */
  readonly confirmed: number
  readonly credited: number
  readonly held: number
  readonly refused: Readonly<Record<Refusal, number>>
  /** The largest first, a thousand at most. */
  readonly heldDays: readonly HeldDay[]
  /** The first twenty. */
  readonly bringers: readonly Bringer[]
}
