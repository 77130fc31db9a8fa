import { type FirebaseApp, getApp } from 'firebase/app'
import {
  type AppCheck,
  getToken,
  initializeAppCheck,
  ReCaptchaEnterpriseProvider,
} from 'firebase/app-check'

/*
 * App Check: reCAPTCHA Enterprise watches, behind the scenes, and vouches for the page. Auth's library
 * sends the token along by itself. None of this is in a build without a site key.
 */

/** Begins with it, before anything asks Google. */
export function beginAppCheck(app: FirebaseApp): AppCheck {
  const { appCheckSiteKey = '' } = app.options as { appCheckSiteKey?: string }
  const provider = new ReCaptchaEnterpriseProvider(appCheckSiteKey)
  return initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true })
}

/** The header for a call of our own. Where there is no token, Google says whether it wants one. */
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
