//! The namespace that the story plays in, and what it is about.

use std::collections::BTreeMap;

use k8s_openapi::api::{
    batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec},
    core::v1::{Container, PodSpec, PodTemplateSpec},
};
use kube::{Api, Client, api::ObjectMeta};

/// The object that the steps before the pages are about.
pub const STORY: &str = "story";

pub struct TestNamespace {
    pub client: Client,
    pub name: String,
    pub cron_jobs: Api<CronJob>,
}

impl TestNamespace {
    pub fn new(client: Client, name: String) -> Self {
        let cron_jobs = Api::namespaced(client.clone(), &name);
        Self {
            client,
            name,
            cron_jobs,
        }
    }
}

/// A CronJob with two containers and nothing that has a default.
pub fn cron_job(name: &str) -> CronJob {
    let pod = PodSpec {
        restart_policy: Some("OnFailure".into()),
        containers: vec![
            container("main", "example.com/main:1"),
            container("sidecar", "example.com/sidecar:1"),
        ],
        ..PodSpec::default()
    };
    CronJob {
        metadata: ObjectMeta {
            name: Some(name.into()),
            ..ObjectMeta::default()
        },
        spec: CronJobSpec {
            schedule: "*/5 * * * *".into(),
            job_template: JobTemplateSpec {
                metadata: None,
                spec: Some(JobSpec {
                    template: PodTemplateSpec {
                        metadata: None,
                        spec: Some(pod),
                    },
                    ..JobSpec::default()
                }),
            },
            ..CronJobSpec::default()
        },
        status: None,
    }
}

fn container(name: &str, image: &str) -> Container {
    Container {
        name: name.into(),
        image: Some(image.into()),
        ..Container::default()
    }
}

pub fn labelled(mut job: CronJob, key: &str, value: &str) -> CronJob {
    job.metadata.labels = Some(BTreeMap::from([(key.into(), value.into())]));
    job
}

pub fn scheduled(mut job: CronJob, schedule: &str) -> CronJob {
    job.spec.schedule = schedule.into();
    job
}

/// The pod that the jobs run; what the server sends has one.
pub fn pod_of(job: &CronJob) -> Option<&PodSpec> {
    job.spec.job_template.spec.as_ref()?.template.spec.as_ref()
}
