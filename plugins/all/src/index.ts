import { aiFamily } from '@millrace/plugin-ai';
import { amqpFamily } from '@millrace/plugin-amqp';
import { awsFamily } from '@millrace/plugin-aws';
import { azureFamily } from '@millrace/plugin-azure';
import { cassandraFamily } from '@millrace/plugin-cassandra';
import { cliFamily } from '@millrace/plugin-cli';
import { compressFamily } from '@millrace/plugin-compress';
import { coreFamily } from '@millrace/plugin-core';
import { cryptoFamily } from '@millrace/plugin-crypto';
import { databasesFamily } from '@millrace/plugin-databases';
import { datagenFamily } from '@millrace/plugin-datagen';
import { dbtFamily } from '@millrace/plugin-dbt';
import { debeziumFamily } from '@millrace/plugin-debezium';
import { dockerFamily } from '@millrace/plugin-docker';
import { elasticsearchFamily } from '@millrace/plugin-elasticsearch';
import { emailFamily } from '@millrace/plugin-email';
import { fsFamily } from '@millrace/plugin-fs';
import { gcpFamily } from '@millrace/plugin-gcp';
import { gitFamily } from '@millrace/plugin-git';
import { googleworkspaceFamily } from '@millrace/plugin-googleworkspace';
import { graphqlFamily } from '@millrace/plugin-graphql';
import { huaweiFamily } from '@millrace/plugin-huawei';
import { jdbcFamily } from '@millrace/plugin-jdbc';
import { kafkaFamily } from '@millrace/plugin-kafka';
import { kestraFamily } from '@millrace/plugin-kestra';
import type { Family } from '@millrace/plugin-kit';
import { kubernetesFamily } from '@millrace/plugin-kubernetes';
import { ldapFamily } from '@millrace/plugin-ldap';
import { mongodbFamily } from '@millrace/plugin-mongodb';
import { mqttFamily } from '@millrace/plugin-mqtt';
import { natsFamily } from '@millrace/plugin-nats';
import { neo4jFamily } from '@millrace/plugin-neo4j';
import { notificationsFamily } from '@millrace/plugin-notifications';
import { redisFamily } from '@millrace/plugin-redis';
import { saasFamily } from '@millrace/plugin-saas';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { serdesFamily } from '@millrace/plugin-serdes';
import { transformFamily } from '@millrace/plugin-transform';

/** The families that the product ships with. A new package under `plugins/` adds one line here. */
export const families: readonly Family[] = [
  coreFamily,
  scriptsFamily,
  dockerFamily,
  kubernetesFamily,
  dbtFamily,
  cliFamily,
  serdesFamily,
  gitFamily,
  jdbcFamily,
  compressFamily,
  cryptoFamily,
  databasesFamily,
  datagenFamily,
  graphqlFamily,
  notificationsFamily,
  emailFamily,
  fsFamily,
  redisFamily,
  transformFamily,
  kestraFamily,
  elasticsearchFamily,
  mongodbFamily,
  ldapFamily,
  saasFamily,
  gcpFamily,
  natsFamily,
  amqpFamily,
  mqttFamily,
  awsFamily,
  googleworkspaceFamily,
  aiFamily,
  azureFamily,
  kafkaFamily,
  debeziumFamily,
  neo4jFamily,
  cassandraFamily,
  huaweiFamily,
];
