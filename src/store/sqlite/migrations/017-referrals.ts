import type { Migration } from './migration.ts'

export const referrals: Migration = {
  version: 17,
  why: 'Who brought a sign-up is kept with it, and erased when either of the two is.',
  up(db) {
    db.exec(`
      ALTER TABLE outbox ADD COLUMN broughtBy TEXT;
      CREATE INDEX "requests of the brought" ON outbox (broughtBy) WHERE broughtBy IS NOT NULL;
      CREATE INDEX "pending who were brought"
        ON pending (iif(json_valid(data), data ->> 'broughtBy', NULL))
        WHERE iif(json_valid(data), data ->> 'broughtBy', NULL) IS NOT NULL;
      CREATE INDEX "the brought"
        ON extras (iif(json_valid(fields), fields ->> '$.referral.by', NULL))
        WHERE iif(json_valid(fields), fields ->> '$.referral.by', NULL) IS NOT NULL;
      -- An update that was taken back left a version that erases people and knows of none of this.
      UPDATE extras SET fields = json_remove(fields, '$.referral')
        WHERE iif(json_valid(fields), fields ->> '$.referral.by', NULL) IN
          (SELECT addressId FROM standings WHERE standing = 'forgotten');`)
  },
}
