import type { FeatureRules } from '../../shared/feature-rules.ts'

export const stillInterested = {
  name: 'still-interested',
  letter: {
    name: 'still-interested',
    option: '--still-interested',
    given: 'stillInterested',
    path: '/still-interested',
    button: 'stillYes',
    isToTheSilent: true,
    note: 'With --still-interested the letter has a button that says yes, and goes to those who have neither signed up nor got a letter for 60 days. Those who get this letter get later ones as well; those who do not answer get them last.',
  },
  announceOptions: {
    '--still-interested': {
      help: 'ask those who have heard nothing for 60 days, with a button that says yes',
      conflicts: ['ask', 'alsoWhoGot'],
    },
  },
} as const satisfies FeatureRules
