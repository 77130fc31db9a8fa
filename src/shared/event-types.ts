/** What other systems can be told of a person. */
export const eventTypes = [
  /** They are on the list, and count. */
  'subscribed',
  /** They answered yes from their own mailbox. */
  'confirmed',
  /** They answered the question of the page, or changed their answer. */
  'answered',
  /** They are not to be written to any more: they unsubscribed, complained, or took it back. */
  'left',
  'bounced',
  /** The announcement was handed to the mail server for them. */
  'told',
  'forgotten',
] as const

export type EventType = (typeof eventTypes)[number]
