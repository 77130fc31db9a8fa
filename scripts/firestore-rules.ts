/** `npm run rules`: writes `firestore.rules`, so that the e-mail rule and the appId are said once. */
import { writeFileSync } from 'node:fs'
import product from '../src/product/product.ts'
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '../src/shared/email.ts'
import { RECORDS_A_USER } from '../src/shared/record-id.ts'
import { confirmationRequestsPath, subscribersPath } from '../src/shared/subscriber.ts'

/**
 * What Firestore lets a visitor do: add a few records, and nothing else.
 *
 * @param confirm whether a record asks for confirmation, and nobody gets on the list by writing.
 */
export function firestoreRules(appId: string, { confirm = false } = {}): string {
  const collection = confirm ? confirmationRequestsPath(appId) : subscribersPath(appId)
  const ids = Array.from({ length: RECORDS_A_USER }, (_, place) => `idAt('${place}')`)
  return `rules_version = '2';

// Written by "npm run rules" from src/shared/email.ts and product.config.ts.
// What is not allowed here is denied: reading, listing, changing, deleting, and every other path.
service cloud.firestore {
  match /databases/{database}/documents {
    match ${collection}/{id} {
      // As in src/shared/record-id.ts: each user has ${RECORDS_A_USER} ids of their own, which nobody else can
      // name. Who is not signed in has none.
      function idAt(place) {
        return hashing.sha256(request.auth.uid + '/' + place).toHexString().lower();
      }
      allow create: if id in [${ids.join(', ')}]
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
