import type { TaskDefinition } from '@millrace/plugin-kit';
import { defineCliTask } from '@millrace/plugin-scripts';

interface Program {
  readonly type: string;
  readonly title: string;
  readonly program: string;
  readonly containerImage: string;
  readonly example: { readonly title: string; readonly id: string; readonly rest: string };
  readonly env?: Readonly<Record<string, string>>;
}

const define = ({ type, title, program, containerImage, example, env }: Program): TaskDefinition =>
  defineCliTask({
    type,
    title,
    containerImage,
    ...(env && { env }),
    description: `Runs shell commands with ${program} at hand. The program must be on the worker, or \`taskRunner\` names a container or pod
with it. An exit code other than 0 fails the task. A line \`::{"outputs": {"name": "value"}}::\` returns a value, reached by
\`outputs.<task>.vars.name\`.`,
    examples: [
      {
        title: example.title,
        runs: false,
        code: `id: ${example.id}
namespace: company.team

tasks:
  - id: run
    type: ${type}
    taskRunner:
      type: scripts.runner.docker.Docker
${example.rest}`,
      },
    ],
  });

const terraformFile = `    inputFiles:
      main.tf: |
        variable "region" { type = string }
        output "region" { value = var.region }
    env:
      TF_VAR_region: eu-central-1
`;

export const terraform = define({
  type: 'terraform.cli.TerraformCLI',
  title: 'Run Terraform commands',
  program: 'Terraform',
  containerImage: 'hashicorp/terraform',
  example: {
    title: 'Apply a configuration and keep its outputs.',
    id: 'terraform_apply',
    rest: `${terraformFile}    beforeCommands:
      - terraform init -input=false
    commands:
      - terraform apply -auto-approve -input=false
      - terraform output -json > outputs.json
    outputFiles:
      - outputs.json
      - terraform.tfstate
`,
  },
});

export const opentofu = define({
  type: 'opentofu.cli.OpenTofuCLI',
  title: 'Run OpenTofu commands',
  program: 'OpenTofu',
  containerImage: 'ghcr.io/opentofu/opentofu',
  example: {
    title: 'Plan a change.',
    id: 'opentofu_plan',
    rest: `${terraformFile}    beforeCommands:
      - tofu init -input=false
    commands:
      - tofu plan -input=false
`,
  },
});

export const terragrunt = define({
  type: 'terragrunt.cli.TerragruntCLI',
  title: 'Run Terragrunt commands',
  program: 'Terragrunt',
  containerImage: 'alpine/terragrunt',
  example: {
    title: 'Plan all units of the namespace files.',
    id: 'terragrunt_plan',
    rest: `    namespaceFiles:
      enabled: true
    commands:
      - terragrunt run --all plan --non-interactive
`,
  },
});

export const sqlmesh = define({
  type: 'sqlmesh.cli.SQLMeshCLI',
  title: 'Run SQLMesh commands',
  program: 'SQLMesh',
  containerImage: 'ghcr.io/kestra-io/sqlmesh',
  example: {
    title: 'Plan and apply the project of the namespace files.',
    id: 'sqlmesh_plan',
    rest: `    namespaceFiles:
      enabled: true
    commands:
      - sqlmesh plan --auto-apply --no-prompts
`,
  },
});

export const dataform = define({
  type: 'dataform.cli.DataformCLI',
  title: 'Run Dataform commands',
  program: 'Dataform',
  containerImage: 'dataformco/dataform:latest',
  example: {
    title: 'Compile and run a project.',
    id: 'dataform_run',
    rest: `    namespaceFiles:
      enabled: true
    commands:
      - dataform compile
      - dataform run --dry-run
`,
  },
});

export const modal = define({
  type: 'modal.cli.ModalCLI',
  title: 'Run Modal commands',
  program: 'Modal',
  containerImage: 'ghcr.io/kestra-io/modal',
  example: {
    title: 'Run a function in the cloud of Modal.',
    id: 'modal_run',
    rest: `    env:
      MODAL_TOKEN_ID: "{{ secret('MODAL_TOKEN_ID') }}"
      MODAL_TOKEN_SECRET: "{{ secret('MODAL_TOKEN_SECRET') }}"
    namespaceFiles:
      enabled: true
    commands:
      - modal run app.py
`,
  },
});

export const trivy = define({
  type: 'trivy.cli.TrivyCLI',
  title: 'Run Trivy commands',
  program: 'Trivy',
  containerImage: 'ghcr.io/aquasecurity/trivy',
  example: {
    title: 'Fail when an image has critical vulnerabilities.',
    id: 'trivy_scan',
    rest: `    commands:
      - trivy image --exit-code 1 --severity CRITICAL --format json --output report.json nginx:alpine
    outputFiles:
      - report.json
`,
  },
});

export const malloy = define({
  type: 'malloy.CLI',
  title: 'Run Malloy commands',
  program: 'the Malloy CLI',
  containerImage: 'ghcr.io/kestra-io/malloy',
  example: {
    title: 'Run a query of the namespace files.',
    id: 'malloy_run',
    rest: `    namespaceFiles:
      enabled: true
    commands:
      - malloy-cli run report.malloysql
`,
  },
});

export const dlt = define({
  type: 'dlt.CLI',
  title: 'Run dlt commands',
  program: 'dlt',
  containerImage: 'ghcr.io/kestra-io/dlt',
  example: {
    title: 'Show a pipeline.',
    id: 'dlt_info',
    rest: `    namespaceFiles:
      enabled: true
    commands:
      - python pipeline.py
      - dlt pipeline orders info
`,
  },
});

export const liquibase = define({
  type: 'liquibase.CLI',
  title: 'Run Liquibase commands',
  program: 'Liquibase',
  containerImage: 'ghcr.io/kestra-io/liquibase:latest',
  example: {
    title: 'Bring a database up to date.',
    id: 'liquibase_update',
    rest: `    namespaceFiles:
      enabled: true
    env:
      LIQUIBASE_COMMAND_PASSWORD: "{{ secret('DATABASE_PASSWORD') }}"
    commands:
      - liquibase --url=jdbc:postgresql://database.example.com/shop --username=robot --changelog-file=changelog.xml update
`,
  },
});

export const cloudquery = define({
  type: 'cloudquery.CloudQueryCLI',
  title: 'Run CloudQuery commands',
  program: 'CloudQuery',
  containerImage: 'ghcr.io/cloudquery/cloudquery:latest-ubuntu',
  example: {
    title: 'Sync as the file says.',
    id: 'cloudquery_sync_file',
    rest: `    namespaceFiles:
      enabled: true
    env:
      CLOUDQUERY_API_KEY: "{{ secret('CLOUDQUERY_API_KEY') }}"
    commands:
      - cloudquery sync config.yml --log-console
`,
  },
});

export const helm = define({
  type: 'helm.cli.HelmCLI',
  title: 'Run Helm commands',
  program: 'Helm',
  containerImage: 'alpine/helm',
  example: {
    title: 'Install or upgrade a release and wait until it is ready.',
    id: 'helm_upgrade',
    rest: `    inputFiles:
      kubeconfig.yml: "{{ secret('KUBECONFIG') }}"
      values.yml: |
        replicaCount: 2
    env:
      KUBECONFIG: kubeconfig.yml
    commands:
      - helm upgrade --install shop oci://registry.example.com/charts/shop --values values.yml --wait
`,
  },
});

export const meltano = define({
  type: 'meltano.cli.MeltanoCLI',
  title: 'Run Meltano commands',
  program: 'Meltano',
  containerImage: 'meltano/meltano',
  example: {
    title: 'Run a pipeline of the project in the namespace files.',
    id: 'meltano_run',
    rest: `    namespaceFiles:
      enabled: true
    env:
      MELTANO_ENVIRONMENT: prod
      MELTANO_DATABASE_URI: "{{ secret('MELTANO_DATABASE_URI') }}"
    beforeCommands:
      - meltano install
    commands:
      - meltano run tap-github target-postgres
`,
  },
});

export const sparkCli = define({
  type: 'spark.SparkCLI',
  title: 'Run Spark commands',
  program: 'Spark',
  containerImage: 'apache/spark:4.0.1-java21-r',
  example: {
    title: 'Submit a script.',
    id: 'spark_cli',
    rest: `    inputFiles:
      job.py: |
        from pyspark.sql import SparkSession
        print(SparkSession.builder.getOrCreate().range(10).count())
    commands:
      - /opt/spark/bin/spark-submit --master "local[*]" job.py
`,
  },
});
