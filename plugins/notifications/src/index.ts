import type { Family } from '@millrace/plugin-kit';
import { blueskyExecution } from './bluesky/bluesky.ts';
import { discordExecution, discordWebhook } from './discord/discord.ts';
import { googleChatExecution, googleChatWebhook } from './googleChat/googleChat.ts';
import { notificationGroups } from './groups.ts';
import { lineExecution } from './line/line.ts';
import { linkedInAnalytics, linkedInComments, linkedInOAuth } from './linkedin/linkedin.ts';
import { messengerExecution, whatsAppExecution, whatsAppWebhook } from './meta/chats.ts';
import {
  facebookCreate,
  facebookDelete,
  facebookInsights,
  facebookList,
  facebookSchedule,
} from './meta/facebook.ts';
import {
  instagramCarousel,
  instagramImage,
  instagramInsights,
  instagramList,
  instagramVideo,
} from './meta/instagram.ts';
import { opsgenieAlert, opsgenieExecution } from './opsgenie/opsgenie.ts';
import { pagerDutyAlert, pagerDutyExecution } from './pagerduty/pagerduty.ts';
import { resendDomain, resendEmail } from './resend/resend.ts';
import { sendGridExecution, sendGridMail } from './sendgrid/sendgrid.ts';
import { sentryAlert, sentryExecution } from './sentry/sentry.ts';
import { slackChats } from './slack/app/chats.ts';
import { slackConversations } from './slack/app/conversations.ts';
import { slackFiles } from './slack/app/files.ts';
import { slackCanvases, slackReactions, slackUsers } from './slack/app/others.ts';
import { slackTrigger } from './slack/app/trigger.ts';
import { slackExecution, slackWebhook } from './slack/webhooks.ts';
import { sendInform, sendTrap } from './snmp/snmp.ts';
import { squadcastExecution, squadcastWebhook } from './squadcast/squadcast.ts';
import { teamsExecution, teamsWebhook } from './teams/teams.ts';
import { telegramExecution, telegramSend } from './telegram/telegram.ts';
import { twilioAlert, twilioExecution, twilioMms, twilioSms } from './twilio/notify.ts';
import { segmentStatus, segmentSync } from './twilio/segment.ts';
import { xExecution } from './x/x.ts';
import { zendutyAlert, zendutyExecution } from './zenduty/zenduty.ts';
import { zulipExecution, zulipWebhook } from './zulip/zulip.ts';

/** Messages and reports to chats, pagers and social networks. Mail has its own family. */
export const notificationsFamily: Family = {
  name: 'notifications',
  groups: notificationGroups,
  types: [
    slackWebhook,
    slackExecution,
    ...slackChats,
    ...slackConversations,
    ...slackFiles,
    ...slackReactions,
    ...slackUsers,
    ...slackCanvases,
    slackTrigger,
    discordWebhook,
    discordExecution,
    teamsWebhook,
    teamsExecution,
    googleChatWebhook,
    googleChatExecution,
    telegramSend,
    telegramExecution,
    pagerDutyAlert,
    pagerDutyExecution,
    opsgenieAlert,
    opsgenieExecution,
    sentryAlert,
    sentryExecution,
    zulipWebhook,
    zulipExecution,
    zendutyAlert,
    zendutyExecution,
    sendTrap,
    sendInform,
    squadcastWebhook,
    squadcastExecution,
    twilioAlert,
    twilioExecution,
    twilioSms,
    twilioMms,
    segmentSync,
    segmentStatus,
    sendGridMail,
    sendGridExecution,
    resendEmail,
    resendDomain,
    whatsAppWebhook,
    whatsAppExecution,
    messengerExecution,
    facebookCreate,
    facebookSchedule,
    facebookDelete,
    facebookList,
    facebookInsights,
    instagramImage,
    instagramVideo,
    instagramCarousel,
    instagramInsights,
    instagramList,
    lineExecution,
    xExecution,
    blueskyExecution,
    linkedInOAuth,
    linkedInAnalytics,
    linkedInComments,
  ],
};
