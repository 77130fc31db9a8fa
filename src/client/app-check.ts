import { type FirebaseApp, getApp } from 'firebase/app'
import {
  type AppCheck,
  getToken,
  initializeAppCheck,
  ReCaptchaEnterpriseProvider,
} from 'firebase/app-check'

/*
 * App Check: reCAPTCHA Enterprise checks the browser in the background and vouches for the page.
 * Auth's library sends its token by itself. None of this is in a build without a site key.
 */

const ANSWER_WITHIN_MS = 5000

/** As the library has it for its own use. */
type Provider = ReCaptchaEnterpriseProvider & { getToken(): Promise<unknown> }

/** Begins with it, before anything asks Google. */
export function beginAppCheck(app: FirebaseApp): AppCheck {
  const { appCheckSiteKey = '' } = app.options as { appCheckSiteKey?: string }
  const provider = new ReCaptchaEnterpriseProvider(appCheckSiteKey) as Provider
  const ask = provider.getToken.bind(provider)
  let isSilent = false
  // If a browser blocks reCAPTCHA, the library waits for it for ever, and so does signing in. So we
  // wait only once, for a short time; if it answers later, it is asked again.
  provider.getToken = async () => {
    const asked = ask().finally(() => {
      isSilent = false
    })
    if (!isSilent) return Promise.race([asked, tooLate(asked)])
    asked.catch(() => {})
    throw new Error('reCAPTCHA is silent')
  }

  async function tooLate(asked: Promise<unknown>): Promise<never> {
    let hasAnswered = false
    const answered = () => {
      hasAnswered = true
    }
    asked.then(answered, answered)
    await new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS))
    isSilent ||= !hasAnswered
    throw new Error('reCAPTCHA did not answer')
  }

  return initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true })
}

/** The header for a call of our own. Without a token, Google's answer says whether it is needed. */
export async function appCheckHeader(): Promise<Record<string, string>> {
  try {
    // The same as before, where it has begun.
    const { token } = await getToken(beginAppCheck(getApp()))
    return { 'X-Firebase-AppCheck': token }
  } catch (error) {
    console.warn('No App Check token:', (error as { code?: string }).code)
    return {}
  }
}
