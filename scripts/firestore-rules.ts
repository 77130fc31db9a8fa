/** `npm run rules`: writes `firestore.rules`, so that the e-mail rule and the appId are said once. */
import { writeFileSync } from 'node:fs'
import product from '../product.config.ts'
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '../src/shared/email.ts'
import { subscribersPath } from '../src/shared/subscriber.ts'

/** What Firestore lets a visitor do: add one subscriber record, and nothing else. */
export function firestoreRules(appId: string): string {
  return `rules_version = '2';

// Written by "npm run rules" from src/shared/email.ts and product.config.ts.
// What is not allowed here is denied: reading, listing, changing, deleting, and every other path.
service cloud.firestore {
  match /databases/{database}/documents {
    match ${subscribersPath(appId)}/{id} {
      // A random id, because a record at an id of the visitor's choosing could be probed for.
      allow create: if request.auth != null
        && id.matches('[A-Za-z0-9]{20}')
        && request.resource.data.keys().hasOnly(['email', 'subscribedAt'])
        && request.resource.data.email.size() <= ${EMAIL_MAX_LENGTH}
        // Refuses capitals and outer space too. On anything but a string it fails, which denies.
        && request.resource.data.email.matches(${stringLiteral(EMAIL_PATTERN)})
        && request.resource.data.subscribedAt == request.time;
    }
  }
}
`
}

function stringLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync('firestore.rules', firestoreRules(product.appId))
