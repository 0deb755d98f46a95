import type { Family } from '@millrace/plugin-kit';
import { adanosTypes } from './adanos/adanos.ts';
import { airbyteTypes } from './airbyte/airbyte.ts';
import { airflowTypes } from './airflow/airflow.ts';
import { airtableTypes } from './airtable/airtable.ts';
import { algoliaTypes } from './algolia/algolia.ts';
import { apifyTypes } from './apify/apify.ts';
import { argocdTypes } from './argocd/argocd.ts';
import { censusTypes } from './census/census.ts';
import { cephTypes } from './ceph/ceph.ts';
import { cloudflareTypes } from './cloudflare/cloudflare.ts';
import { confluenceTypes } from './confluence/confluence.ts';
import { databricksTypes } from './databricks/databricks.ts';
import { databricksQuery } from './databricks/query.ts';
import { dropletTypes } from './digitalocean/droplets.ts';
import { resourceTypes } from './digitalocean/resources.ts';
import { volumeTypes } from './digitalocean/volumes.ts';
import { dropboxTypes } from './dropbox/dropbox.ts';
import { fabricTypes } from './fabric/fabric.ts';
import { fivetranTypes } from './fivetran/fivetran.ts';
import { flinkTypes } from './flink/flink.ts';
import { githubTypes } from './github/github.ts';
import { listProjectItems } from './github/projects.ts';
import { githubSearches } from './github/search.ts';
import { gitlabTypes } from './gitlab/gitlab.ts';
import { lokiTypes } from './grafana/loki.ts';
import { saasGroups } from './groups.ts';
import { hexTypes } from './hex/hex.ts';
import { hightouchTypes } from './hightouch/hightouch.ts';
import { hubspotTypes } from './hubspot/hubspot.ts';
import { jenkinsTypes } from './jenkins/jenkins.ts';
import { jiraTypes } from './jira/jira.ts';
import { klaviyoTypes } from './klaviyo/klaviyo.ts';
import { linearTypes } from './linear/linear.ts';
import { logExporters } from './logs/exporters.ts';
import { metaplaneTypes } from './metaplane/metaplane.ts';
import { adaptiveCardTypes } from './microsoft365/adaptiveCards.ts';
import { dynamicsTypes } from './microsoft365/dynamics.ts';
import { oneshareTypes } from './microsoft365/oneshare.ts';
import { outlookTypes } from './microsoft365/outlook.ts';
import { sharepointTypes } from './microsoft365/sharepoint.ts';
import { mondayTypes } from './monday/monday.ts';
import { netskopeTypes } from './netskope/netskope.ts';
import { notionTypes } from './notion/notion.ts';
import { odooTypes } from './odoo/odoo.ts';
import { phpipamTypes } from './phpipam/phpipam.ts';
import { pineconeTypes } from './pinecone/pinecone.ts';
import { pipedriveTypes } from './pipedrive/pipedrive.ts';
import { powerbiTypes } from './powerbi/powerbi.ts';
import { prefectTypes } from './prefect/prefect.ts';
import { prometheusTypes } from './prometheus/prometheus.ts';
import { clusterTasks } from './proxmox/cluster.ts';
import { guestTasks } from './proxmox/guests.ts';
import { salesforceTypes } from './salesforce/salesforce.ts';
import { servicenowTypes } from './servicenow/servicenow.ts';
import { shopifyTypes } from './shopify/shopify.ts';
import { siffletTypes } from './sifflet/sifflet.ts';
import { stripeTypes } from './stripe/stripe.ts';
import { supabaseTypes } from './supabase/supabase.ts';
import { temporalTypes } from './temporal/temporal.ts';
import { tikaTypes } from './tika/tika.ts';
import { timefoldTypes } from './timefold/timefold.ts';
import { todoistTypes } from './todoist/todoist.ts';
import { trelloTypes } from './trello/trello.ts';
import { xquikTypes } from './xquik/xquik.ts';
import { youtubeTypes } from './youtube/youtube.ts';
import { zapierTypes } from './zapier/zapier.ts';
import { zendeskTypes } from './zendesk/zendesk.ts';

/** Services on the web: each call is declared on a common REST base. */
export const saasFamily: Family = {
  name: 'saas',
  groups: saasGroups,
  types: [
    ...dynamicsTypes,
    ...oneshareTypes,
    ...sharepointTypes,
    ...outlookTypes,
    ...adaptiveCardTypes,
    ...githubTypes,
    ...githubSearches,
    listProjectItems,
    ...databricksTypes,
    databricksQuery,
    ...airbyteTypes,
    ...argocdTypes,
    ...servicenowTypes,
    ...jiraTypes,
    ...phpipamTypes,
    ...volumeTypes,
    ...resourceTypes,
    ...dropletTypes,
    ...siffletTypes,
    ...hexTypes,
    ...powerbiTypes,
    ...prometheusTypes,
    ...lokiTypes,
    ...pipedriveTypes,
    ...todoistTypes,
    ...trelloTypes,
    ...zapierTypes,
    ...youtubeTypes,
    ...confluenceTypes,
    ...algoliaTypes,
    ...supabaseTypes,
    ...shopifyTypes,
    ...stripeTypes,
    ...prefectTypes,
    ...airflowTypes,
    ...klaviyoTypes,
    ...odooTypes,
    ...zendeskTypes,
    ...airtableTypes,
    ...linearTypes,
    ...jenkinsTypes,
    ...gitlabTypes,
    ...hubspotTypes,
    ...salesforceTypes,
    ...mondayTypes,
    ...notionTypes,
    ...hightouchTypes,
    ...censusTypes,
    ...fivetranTypes,
    ...fabricTypes,
    ...dropboxTypes,
    ...cloudflareTypes,
    ...apifyTypes,
    ...logExporters,
    ...pineconeTypes,
    ...flinkTypes,
    ...xquikTypes,
    ...adanosTypes,
    ...timefoldTypes,
    ...temporalTypes,
    ...tikaTypes,
    ...cephTypes,
    ...metaplaneTypes,
    ...netskopeTypes,
    ...guestTasks,
    ...clusterTasks,
  ],
};
