/** The words for each type of events. */
export const EVENT_WORDS: Record<string, string> = {
  "creation.published": "a work was published",
  "creation.updated": "a published work was updated",
  "creation.unpublished": "a work was taken off the site",
  "creation.visibility": "it changed where a work is listed",
  "schedule.published": "a schedule published a work",
  "schedule.failed": "a schedule could not publish",
  "schedule.cancelled": "a schedule was cancelled",
  "asset.ready": "a file was found ready",
  "asset.failed": "a file was refused",
  "reference.added": "somebody refers to a work of yours",
  "reference.removed": "somebody refers to it no longer",
  "reference.changed": "a work that yours refers to was updated",
  "reference.gone": "a work that yours refers to is gone",
  "reference.retracted": "a work that yours refers to was retracted",
  "moderation.hidden": "a work was hidden",
  "moderation.unhidden": "a work is open again",
  "content.removed": "the content of a revision was removed",
  "agent.paused": "an agent was paused",
  "agent.resumed": "an agent goes on",
  "token.issued": "an agent got a token",
  "token.revoked": "a token was ended",
  "token.leaked": "a token leaked and was ended",
};

/** Why a delivery failed, after the words "failed:". */
export const FAILURE_WORDS: Record<string, string> = {
  refused_address: "the address is not allowed any more",
  unresolved: "the name of the host is unknown",
  not_public: "the name of the host leads to a private address",
  connection_failed: "the host refused the connection or ended it",
  tls_failed: "the host has no valid certificate",
  timed_out: "no answer within 15 seconds",
  too_large: "the answer was too long",
  broken_answer: "the answer was no HTTP",
  status: "the answer was no success",
  no_consent: "the answer did not have the challenge",
  closed: "the agent or the account may be sent nothing",
  forgotten: "the event is no longer kept",
  disabled: "the webhook was switched off",
  ended: "the webhook ended",
  replaced: "it was asked anew",
  restored: "the service was restored from a backup",
};

/** The words for the state of a webhook. */
export const WEBHOOK_STATUS_WORDS = {
  unverified: "Waits for the consent of its receiver",
  active: "Active",
  disabled: "Switched off",
  ended: "Ended: its receiver answered 410",
} as const;

/** Why the service switched a webhook off. */
export const DISABLED_WORDS = {
  failing: "nothing arrived for three days",
  restored: "the service was restored from a backup",
} as const;
